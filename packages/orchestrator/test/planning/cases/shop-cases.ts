import type { Answers } from '../play.js';
import { shopToolbox } from '../shop-toolbox.js';
import { call, type PlanningCase, within } from './planning-case.js';

/** The results of the tools in the shop toolbox. */
export const shopAnswers: Answers = {
  find_customer: (args) => ({ customer_id: 'c-42', name: 'Ada', email: args['email'] ?? 'ada@shop.org' }),
  list_orders: {
    orders: [
      { id: 'A-17', status: 'open', total: 12.5 },
      { id: 'A-18', status: 'shipped', total: 99 },
    ],
  },
  fetch_order: (args) => ({ id: args['order_id'] ?? '', total: 12.5 }),
  charge_card: (args) => ({ charged: args['amount'] ?? 0, receipt: 'r-881' }),
  cancel_order: { cancelled: true },
  send_email: { sent: true },
  get_weather: (args) => ({ city: args['city'] ?? '', forecast: 'sunny', temperature: 21 }),
  convert_currency: { amount: 11.2, currency: 'USD' },
  create_event: { id: 'ev-1' },
  save_note: { saved: true },
  translate_text: { text: 'Guten Morgen' },
};

const shop = within(shopToolbox, shopAnswers);

/** Arguments filled from the request: ids, amounts, places, dates, flags and texts. */
export const shopCases: readonly PlanningCase[] = [
  shop(
    'finds a customer by email',
    ['Find the customer with email ada@shop.org', 'Look up customer ada@shop.org'],
    [[call('find_customer', { email: 'ada@shop.org' })]],
    { says: ['c-42'] },
  ),
  shop(
    'picks an enum value',
    ['List the open orders of customer c-42', 'Which orders of customer c-42 are open?'],
    [[call('list_orders', { customer_id: 'c-42', status: 'open' })]],
    { says: ['A-17'] },
  ),
  shop(
    'fills an id from an earlier result',
    ['Find customer ada@shop.org and list her orders'],
    [[call('find_customer', { email: 'ada@shop.org' })], [call('list_orders', { customer_id: 'c-42' })]],
    { says: ['Ada', 'A-18'] },
  ),
  shop(
    'sets a flag that the request mentions',
    ['List the orders of customer c-42 and include items', 'list orders of customer c-42 with items'],
    [[call('list_orders', { customer_id: 'c-42', include_items: true })]],
  ),
  shop(
    'clears a flag that the request excludes',
    ['List the orders of customer c-42 without items'],
    [[call('list_orders', { customer_id: 'c-42', include_items: false })]],
  ),
  shop(
    'reads an amount with its currency',
    ['Charge 12.50 EUR for order A-17', 'charge €12.50 for order A-17', 'Charge order A-17 with 12.5 euros'],
    [[call('fetch_order', { order_id: 'A-17' })], [call('charge_card', { amount: 12.5, currency: 'EUR' })]],
    { says: ['r-881'] },
  ),
  shop(
    'asks for several missing arguments at once',
    ['Charge the card for order A-17'],
    [
      ['? What is the currency for “charge card”?', '? What is the amount for “charge card”?'],
      [call('fetch_order', { order_id: 'A-17' })],
      [call('charge_card', { amount: 7, currency: 'USD' })],
    ],
    { person: { amount: '7', currency: 'usd' } },
  ),
  shop(
    'calls a destructive tool when the request names its action',
    ['Cancel order A-18'],
    [[call('cancel_order', { order_id: 'A-18' })]],
  ),
  shop(
    'takes a count or an ordinal for no id',
    ['Cancel the first one of the orders', 'Cancel the 3 oldest orders', 'Cancel 5 orders'],
    [['? What is the order id for “cancel order”?']],
  ),
  shop(
    'takes a plain number for an id',
    ['Cancel an order, number 17 please'],
    [[call('cancel_order', { order_id: '17' })]],
  ),
  shop('does not call a similar tool instead of the one asked for', ['Refund order A-17'], [], {
    says: ['no tool that fits'],
  }),
  shop(
    'reads a city and a date',
    ['What is the weather in Berlin tomorrow?', 'Weather forecast for Berlin on 2026-03-19'],
    [[call('get_weather', { city: 'Berlin', date: '2026-03-19' })]],
    { says: ['sunny', '21'] },
  ),
  shop(
    'calls a tool once for each city',
    [
      'What is the weather in Berlin, Paris and Rome?',
      'weather in Berlin, in Paris and in Rome',
      'What is the weather in Berlin and in Paris and Rome?',
    ],
    [
      [
        call('get_weather', { city: 'Berlin' }),
        call('get_weather', { city: 'Paris' }),
        call('get_weather', { city: 'Rome' }),
      ],
    ],
    { says: ['Berlin', 'Rome'] },
  ),
  shop(
    'reads a city name of two words',
    ['weather in New York in fahrenheit'],
    [[call('get_weather', { city: 'New York', units: 'fahrenheit' })]],
  ),
  shop(
    'tells the source currency from the target',
    ['Convert 100 euros to dollars', 'convert 100 EUR into USD', 'Convert €100 to USD'],
    [[call('convert_currency', { amount: 100, from_currency: 'EUR', to_currency: 'USD' })]],
  ),
  shop(
    'fills a list and a date with a time',
    ['Schedule a meeting titled "Review" tomorrow at 3pm with ada@shop.org and bob@shop.org'],
    [
      [
        call('create_event', {
          attendees: ['ada@shop.org', 'bob@shop.org'],
          start: '2026-03-19T15:00:00.000Z',
          title: 'Review',
        }),
      ],
    ],
  ),
  shop(
    'starts an event at midnight if no time is given',
    ['Create an event called Standup on 2026-04-01'],
    [[call('create_event', { start: '2026-04-01T00:00:00.000Z', title: 'Standup' })]],
  ),
  shop(
    'reads the subject and body of an email',
    ['Email bob@shop.org with subject "Hi" saying see you soon'],
    [[call('send_email', { body: 'see you soon', subject: 'Hi', to: 'bob@shop.org' })]],
  ),
  shop(
    'passes the result of one tool to another',
    ['What is the weather in Paris and save it to weather.md'],
    [
      [call('get_weather', { city: 'Paris' })],
      [
        'save_note {"content":"- **city**: Paris\\n- **forecast**: sunny\\n- **temperature**: 21","path":"weather.md"}',
      ],
    ],
  ),
  shop(
    'keeps a quoted phrase unchanged',
    ['Save a note "buy milk and bread" to todo.md'],
    [[call('save_note', { content: 'buy milk and bread', path: 'todo.md' })]],
  ),
  shop(
    'finds the text to translate within the request',
    ['Translate "good morning" to German', 'translate good morning into German'],
    [[call('translate_text', { language: 'German', text: 'good morning' })]],
    { says: ['Guten Morgen'] },
  ),
];
