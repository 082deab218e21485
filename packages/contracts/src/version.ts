/** The version of the event contract, stamped as `contract_version` on every event. It changes only for changes that are not additive. */
export const APP_EVENT_CONTRACT_VERSION = 'v1' as const;
