import { type Data, object, text } from '../read-data.js';

/** The fields that the contract defines as strings, with any prefix before an underscore. */
const textFields =
  /(^|_)(id|name|key|type|status|error|prompt|message|phase|task|stage|source|response|role|delta|text|reason)$/;
const objectFields = /^(args|details|memory|redaction|token_usage)$/;

/**
 * Returns the descriptor of this name in a payload: the nested object, or the flat fields if there is none (`tool_name`
 * is then also the `name` of `tool`). A field that is null, an empty string or of the wrong type counts as absent. Fields
 * unknown to the contract are kept.
 *
 * @param flat The object that contains the flat fields.
 */
export function readDescriptor<Descriptor extends Data>(name: string, data: Data, flat = data): Descriptor {
  const fields = Object.entries(object(data[name]) ?? flat).filter(hasFieldType);
  const short = fields.map(([field, value]) => [field.replace(`${name}_`, ''), value]);
  return Object.fromEntries([...short, ...fields]) as Descriptor;
}

/** Truthy if the value has the type of its field. */
function hasFieldType([field, value]: [string, unknown]): unknown {
  if (textFields.test(field)) return text(value);
  if (objectFields.test(field)) return Object.keys(object(value) ?? {}).length;
  return field === 'choices' ? Array.isArray(value) && value.every(text) : value !== null;
}
