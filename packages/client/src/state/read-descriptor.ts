import { type Data, object, text } from '../read-data.js';

/** The fields that the contract says are texts, whatever stands before the underscore. */
const textFields =
  /(^|_)(id|name|key|type|status|error|prompt|message|phase|task|stage|source|response|role|delta|text|reason)$/;
const objectFields = /^(args|details|memory|redaction|token_usage)$/;

/**
 * The descriptor of this name in a payload: the nested object, or the flat fields where there is none (`tool_name` is
 * then the `name` of `tool`). Absent and null mean the same, and so does a value that a
 * page could not show as what its field is. Fields that the contract does not know are kept as they came.
 *
 * @param flat Where the flat fields stand.
 */
export function readDescriptor<Descriptor extends Data>(name: string, data: Data, flat = data): Descriptor {
  const fields = Object.entries(object(data[name]) ?? flat).filter(fits);
  const short = fields.map(([field, value]) => [field.replace(`${name}_`, ''), value]);
  return Object.fromEntries([...short, ...fields]) as Descriptor;
}

/** Something true for a value that its field can be shown with. */
function fits([field, value]: [string, unknown]): unknown {
  if (textFields.test(field)) return text(value);
  if (objectFields.test(field)) return Object.keys(object(value) ?? {}).length;
  return field === 'choices' ? Array.isArray(value) && value.every(text) : value !== null;
}
