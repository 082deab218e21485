import { PrivateData } from '../messages/private-data.js';

/** A number of a redacted message: it stood there as a text, and is one for whoever takes no number. */
export class KnownNumber extends PrivateData<number> {
  get text(): string {
    return String(this.value);
  }
}
