import { describe, it } from 'vitest';
import { expectMarked } from '../marked-text.js';

describe('a vehicle', () => {
  it.each([
    'by [1HGCM82633A004352], [1M8GDM9AXKP042788]; 11111111111111111, 1HGCM82633A00435',
    '[WVWZZZJZ1ABCDE123], [WVWZZZJZXABCD0003], [1M8GDM9A0ABCD0004]; WVWZZZJZ5ABCDEF12, WVWZZZJZ2ABCDE123',
    'VIN [ABCDEFGHJKLMN1234]; VIN ABCDEFGHJKLMNP123, a1HGCM82633A004352, é1HGCM82633A004352',
    '-1HGCM82633A004352, _1HGCM82633A004352, 1HGCM82633A004352-, 1HGCM82633A004352_, 1hgcm82633a004352',
    'VIN [1hgcm82634a004352], vehicle: [1HGCM82634A004352], vehicle identification no. [1HGCM82634A004352]',
    'chassis number [1HGCM82634A004352]; VIN 1HGCM82634A00435, VIN ABCDEFGHJKLMNPR12',
    'license plate [AB 12], licence plate: [AB 123], number plate [B-MW 1234], registration plate [1ABC234]',
    'plate [AB 12]',
    'license plate ABC, plate [ABCDEFGH1]',
  ])('%s', (marked) => expectMarked('vehicle_id', marked));
});

describe('a device', () => {
  it.each([
    'IMEI: [49-015420-323751-8], imei [49 0154 2032 3751 8]',
    'serial [ABC123], serial no: [A-B-C-1-2-3], device id [123456], UDID: [00008030-001A2B3C4D5E6F7A]',
    `serial: [${'a1'.repeat(20)}], serial: ${'a1'.repeat(20)}b, serial AB123, serial ABCDE12`,
    '[00:00:00:00:00:00], [99-99-99-99-99-99], [0f:f0:9a:a9:0a:F9], [ff:ff:ff:ff:ff:ff]',
    '[00-1A-2B-3C-4D-5E], [aa:bb:cc:dd:ee:ff]',
    'a00:1A:2b:3C:4d:5E, :00:1A:2b:3C:4d:5E, -00:1A:2b:3C:4d:5E, 00:1A:2b:3C:4d:5Eg, 00:1A:2b:3C:4d:5E-6',
  ])('%s', (marked) => expectMarked('device_id', marked));
});

describe('an IP address', () => {
  it.each([
    '[0.0.0.0], [255.255.255.255], [249.99.9.100], [199.250.10.1]',
    '[250.240.209.190], [20.109.0.255], [200.249.10.99]',
    '1.2.3.256, 1.2.260.4, 1.300.3.4, 01.2.3.4',
    'a1.2.3.4, _1.2.3.4, -1.2.3.4, a.1.2.3.4, 1.2.3.4a, 1.2.3.4_, 1.2.3.4.5, 1.2.3.4-5',
    '[1.2.3.4]. [1.2.3.4]-a, [1.2.3.4]:80',
    '[1:2:3:4:5:6:7:8], [1::], [::8], [1::3:4:5:6:7:8], [ABCD:ef01::]',
    '1:2:3:4:5:6:7::8, 1:2:3:4::5:6:7:8',
    '1:2:3:4:5:6:7, 1:2:3:4:5:6:7:8:9, 12345::1, 1::2::3, 1::g',
    '[::ffff:1.2.3.4], [1:2:3:4:5:6:1.2.3.4]',
    'a1::2x, _1::2, .1::2, 1::2_, 1::2.3',
  ])('%s', (marked) => expectMarked('ip_address', marked));
});
