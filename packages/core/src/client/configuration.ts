import type { CredentialOptions } from '../auth/resolve-credentials.js';
import { ClientConfig } from '../config/client-config.js';
import type { EnvironmentSource } from '../config/environment.js';
import { ConfigurationError } from '../config/errors.js';
import { refuseUnknownOptions } from '../config/options.js';
import { Client, findConfig } from './client.js';

/** The sources that `fromEnvironment` reads besides the process environment. */
export type EnvironmentOptions = Pick<CredentialOptions, 'envFile' | 'apiKeyFile'>;

/** Frozen settings read from the environment. `toClient()` keeps all of them. */
export class Configuration extends ClientConfig {
  /** Creates a client with these settings. */
  toClient(): Client {
    return new Client(this);
  }
}

/** Creates a frozen configuration from the environment. */
export class ConfigurationBuilder {
  private constructor() {}

  /** Reads the process environment and the named files. @throws ConfigurationError if none has a key. */
  static fromEnvironment(options?: EnvironmentOptions, source?: EnvironmentSource): Configuration {
    refuseUnknownOptions(options ?? {}, ['envFile', 'apiKeyFile'], 'fromEnvironment');
    const config = findConfig(options ?? {}, source);
    if (!config) {
      throw new ConfigurationError(
        'There is no API key. Set SVC_API_KEY or SVC_API_KEY_FILE, or pass envFile or apiKeyFile.',
        {
          code: 'CONFIG_MISSING_CREDENTIAL',
        },
      );
    }
    const configuration = new Configuration(config);
    Object.freeze(configuration);
    return configuration;
  }
}

/** Creates a client from the environment. */
export class ClientBuilder {
  private constructor() {}

  /** Reads the process environment and the named files. @throws ConfigurationError if none has a key. */
  static fromEnvironment(options: EnvironmentOptions = {}, source?: EnvironmentSource): Client {
    return ConfigurationBuilder.fromEnvironment(options, source).toClient();
  }
}
