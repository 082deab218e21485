import { describe, expect, it } from 'vitest';
import { CONTRACT_EVENT_NAMES, KNOWN_FAMILY_NAMES } from '../src/event-names/groups.js';
import { FAMILY_PAYLOAD_SCHEMAS } from '../src/families.js';

describe('the family payload schemas', () => {
  it('are in contract order, one for each event', () => {
    expect(Object.keys(FAMILY_PAYLOAD_SCHEMAS)).toEqual([...CONTRACT_EVENT_NAMES]);
  });

  it.each(CONTRACT_EVENT_NAMES)('accept no other event name for %s', (name) => {
    const { event_name: eventName } = FAMILY_PAYLOAD_SCHEMAS[name].shape;
    expect(eventName.safeParse(name).success).toBe(true);
    expect(eventName.safeParse('another').success).toBe(false);
  });

  it.each(KNOWN_FAMILY_NAMES)('require a version and a name for %s, which bridges rebuild', (name) => {
    const { contract_version: version, event_name: eventName } = FAMILY_PAYLOAD_SCHEMAS[name].shape;
    expect([version.safeParse(undefined).success, eventName.safeParse(undefined).success]).toEqual([
      false,
      false,
    ]);
  });
});
