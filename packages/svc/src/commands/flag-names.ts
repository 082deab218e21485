import { isSdkError } from '@svc/contracts/sdk-error';
import { UsageError } from '../terminal.js';

const flagOf = { publicUrl: '--public-url', allowedHosts: '--allowed-host', project: '--project' };

type Given = Readonly<Record<keyof typeof flagOf, string | readonly string[] | undefined>>;

const hasFlag = (option: string): option is keyof typeof flagOf => Object.hasOwn(flagOf, option);

/**
 * Creates an orchestrator from what was given on the command line.
 * @throws UsageError naming the flag or variable that is invalid, instead of the option that it sets
 */
export function withFlagNames<Created>(given: Given, create: () => Created): Created {
  try {
    return create();
  } catch (error) {
    if (isSdkError(error, 'CONFIG_INVALID_API_KEY'))
      throw new UsageError('SVC_API_KEY must be one line of printable ASCII without spaces.');
    const [, option = '', place, rule] =
      /^createOrchestrator: (\w+)(?:\.(\d+))? is invalid: (.*)$/s.exec(String(Object(error).message)) ?? [];
    if (!hasFlag(option)) throw error;
    const value = given[option];
    throw new UsageError(
      `${flagOf[option]} is invalid: ${rule}${shown(place === undefined ? value : value?.[Number(place)])}.`,
    );
  }
}

/** What was given, unless it has a part of a URL that may be secret. */
const shown = (text: unknown) =>
  typeof text === 'string' && /[@?#]/.test(text) ? '' : `, got ${JSON.stringify(text)}`;
