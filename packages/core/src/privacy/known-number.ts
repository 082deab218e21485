import { PrivateData } from '../messages/private-data.js';

/** A number from a redacted message. It can also be read as text, for consumers that do not accept a number. */
export class KnownNumber extends PrivateData<number> {
  get text(): string {
    return String(this.value);
  }
}
