/** The version of the event contract, set as `contract_version` on every event. Additive changes do not change it. */
export const APP_EVENT_CONTRACT_VERSION = 'v1' as const;
