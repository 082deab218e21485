/** Names of arguments, without case and separators, whose values are credentials that a planner must not see. */
const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  'accesskey',
  'accesstoken',
  'apikey',
  'apisecret',
  'apitoken',
  'auth',
  'authorization',
  'authtoken',
  'bearertoken',
  'clientsecret',
  'credential',
  'credentials',
  'passphrase',
  'passwd',
  'password',
  'privatekey',
  'refreshtoken',
  'secret',
  'secretaccesskey',
  'secretkey',
  'secrettoken',
  'token',
  'xapikey',
]);

/** Whether an argument is named like a credential. `page_token` and `max_tokens` are not. */
export function isCredentialArgument(name: string): boolean {
  return CREDENTIAL_NAMES.has(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}
