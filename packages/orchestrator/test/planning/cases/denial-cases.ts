import { shopToolbox } from '../shop-toolbox.js';
import { shopAnswers } from './shop-cases.js';
import { call, type PlanningCase, within } from './planning-case.js';

const shop = within(shopToolbox, shopAnswers);

/** What a request excludes is not done. */
export const denialCases: readonly PlanningCase[] = [
  shop(
    'does not do what a request forbids',
    [
      'Do not cancel order A-17.',
      'Don’t cancel order A-17',
      'You shouldn’t cancel order A-17!',
      'We cannot cancel order A-17.',
      'Nobody cancels order A-17.',
      'Please do not send an email to ada@shop.org with subject "Hi" saying "Yo".',
      'Do not save a note "x" to todo.md.',
    ],
    [],
  ),
  shop(
    'does only the part of a request that is not forbidden',
    ['Cancel order A-17. Do not send an email.', 'Don’t send an email to ada@shop.org; cancel order A-17.'],
    [[call('cancel_order', { order_id: 'A-17' })]],
  ),
  shop(
    'leaves out what a request excludes',
    [
      'Cancel order A-17 but not A-18.',
      'Cancel order A-17, not order A-18 and A-19',
      'Cancel A-17 instead of A-18, A-19 or A-20.',
    ],
    [[call('cancel_order', { order_id: 'A-17' })]],
  ),
  shop(
    'asks which one is meant if the request only says which is not',
    ['Cancel all orders except A-18', 'Cancel every order, but not order A-18.'],
    [['? What is the order id for “cancel order”?']],
  ),
  shop(
    'does not use a choice, a name or an address that a request excludes',
    ['List the orders of customer c-42, not the shipped ones, and not those of c-43'],
    [[call('list_orders', { customer_id: 'c-42' })]],
  ),
  shop(
    'takes "it" to mean what was excluded before',
    ['Do not cancel order A-17. Fetch it.'],
    [[call('fetch_order', { order_id: 'A-17' })]],
  ),
  shop(
    'does what a request must not forget',
    ['Don’t forget to cancel order A-17.'],
    [[call('cancel_order', { order_id: 'A-17' })]],
  ),
  shop(
    'takes a negation in a quotation as text',
    ['Email bob@shop.org with subject "Hi" saying "Do not cancel it."'],
    [[call('send_email', { body: 'Do not cancel it.', subject: 'Hi', to: 'bob@shop.org' })]],
  ),
];
