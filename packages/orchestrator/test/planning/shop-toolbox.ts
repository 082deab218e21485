import type { JsonObject } from '@svc/contracts';
import { privateValue, resultOf, type ToolSketch } from './plan-fixtures.js';

const text = (description = '', rest: JsonObject = {}): JsonObject => ({
  type: 'string',
  description,
  ...rest,
});
const currency = text('', { enum: ['EUR', 'USD', 'GBP'] });

/** Tools of a small shop, and a few everyday ones: other words, other kinds of arguments. */
export const shopToolbox: readonly ToolSketch[] = [
  {
    name: 'find_customer',
    description: 'Look up a customer by email or name',
    properties: { email: text('', { format: 'email' }), name: text('Full name') },
  },
  {
    name: 'list_orders',
    description: 'List the orders of a customer',
    properties: {
      customer_id: text('Customer id'),
      status: text('Order status', { enum: ['open', 'shipped', 'cancelled'] }),
      since: text('', { format: 'date' }),
      include_items: { type: 'boolean' },
      limit: { type: 'integer', maximum: 100 },
    },
    required: ['customer_id'],
  },
  {
    name: 'fetch_order',
    description: 'Fetch one order by its id',
    properties: { order_id: text('Order id, such as A-17') },
    required: ['order_id'],
  },
  {
    name: 'charge_card',
    description: 'Charge the stored card for an order',
    properties: {
      amount: { type: 'number', minimum: 0.01 },
      currency,
      order: resultOf('fetch_order'),
      card: privateValue('card'),
      note: text('Note for the receipt'),
    },
    required: ['amount', 'currency', 'order', 'card'],
    tags: ['write'],
  },
  {
    name: 'cancel_order',
    description: 'Cancel an order',
    properties: { order_id: text(), reason: text('Why') },
    required: ['order_id'],
    tags: ['write', 'destructive'],
  },
  {
    name: 'send_email',
    description: 'Send an email message to somebody',
    properties: { to: text('', { format: 'email' }), subject: text(), body: text('The text') },
    required: ['to', 'subject', 'body'],
  },
  {
    name: 'get_weather',
    description: 'Get the weather forecast for a city',
    properties: {
      city: text('Name of the city'),
      date: text('Day of the forecast', { format: 'date' }),
      units: text('', { enum: ['celsius', 'fahrenheit'] }),
    },
    required: ['city'],
  },
  {
    name: 'convert_currency',
    description: 'Convert an amount of money from one currency to another',
    properties: { amount: { type: 'number' }, from_currency: currency, to_currency: currency },
    required: ['amount', 'from_currency', 'to_currency'],
  },
  {
    name: 'create_event',
    description: 'Create a calendar event or meeting',
    properties: {
      title: text(),
      start: text('', { format: 'date-time' }),
      attendees: { type: 'array', items: text('', { format: 'email' }) },
      online: { type: 'boolean' },
    },
    required: ['title', 'start'],
  },
  {
    name: 'save_note',
    description: 'Save a note to a file',
    properties: { path: text('File to write'), content: text('Text of the note') },
    required: ['path', 'content'],
    tags: ['write'],
  },
  {
    name: 'translate_text',
    description: 'Translate text into another language',
    properties: {
      text: text('Text to translate'),
      language: text('Target language', { enum: ['German', 'French', 'Spanish'] }),
    },
    required: ['text', 'language'],
  },
];
