import { describe, it } from 'vitest';
import { expectMarked } from '../marked-text.js';

const lastDays = ['01-31', '02-28', '03-31', '04-30', '05-31', '06-30'].concat([
  '07-31',
  '08-31',
  '09-30',
  '10-31',
  '11-30',
  '12-31',
]);
const monthNames = ['January', 'February', 'March', 'April', 'May', 'June'].concat([
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]);
const shortNames = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Sept',
  'Oct',
  'Nov',
  'Dec',
];

describe('a date', () => {
  it.each(lastDays)('is found up to the last day of its month: %s', (day) => {
    const [month = '', last = ''] = day.split('-');
    expectMarked(
      'date',
      `[2023-${day}], [2023-${month}-01]; 2023-${month}-${Number(last) + 1}, 2023-${month}-00`,
    );
  });

  it.each([
    '[2024-02-29], [2000-02-29]; 2023-02-29, 1900-02-29, 2024-02-30',
    '[1000-01-01]; 0999-01-01, 2024-00-10, 2024-13-10',
    '[1/2/1999], [01.02.2099], [1-2-2024], [31-12-1999]; 1/2/1899, 1/2/2199',
    '[1/2/99], [01-02-99], [12/31/00]; 1.2.99, 1/2-99, 1.2/2024, 0/1/24, 13/32/24',
    '[30/04/2024], [04/30/2024]; 31/04/2024, 04/31/2024, 00/01/2024, 01/00/2024',
    '[1900/01/01], [2099/12/31]; 1899/12/31, 2100/01/01, 2024/00/10, 2024/04/31',
  ])('%s', (marked) => expectMarked('date', marked));

  it.each([...monthNames, ...shortNames])('is found with the month %s', (month) => {
    expectMarked(
      'date',
      `[${month} 28, 1990], [28 ${month} 1990], [${month.toUpperCase()} 2 2024] and [3 of ${month} 2024]`,
    );
  });

  it.each([
    '[1st May 1990], [May 2nd, 1990], [3rd of May, 1990], [4th May 1990], [5. May 1990]',
    '[31 Jan. 1990], [Jan. 30, 1990], [9 May 1990], [09 May 1990], [10 May 1990], [29 May 1990]',
    'May 0, 1990, May 32, 1990 and May 5, 1890',
  ])('is found in words where marked: %s', (marked) => expectMarked('date', marked));

  it.each(['a', '1', '_', '/', '-', 'a.', '1.'])('is not found right after %j', (before) => {
    for (const day of ['2024-01-31', '31.01.2024', '1/31/24', '2024/01/31', 'May 5, 1990'])
      expectMarked('date', before + day);
  });

  it.each(['a', '_', '.1', '/1', '-1'])('is not found right before %j', (after) => {
    for (const day of ['2024-01-31', '31.01.2024', '12/31/24', '2024/01/31', 'May 5, 1990'])
      expectMarked('date', day + after);
  });
});

describe('a date with a time', () => {
  it.each([
    '[2024-01-31 00:00], [2024-01-31T23:59], [2024-01-31T19:59:60]',
    '[2024-01-31T10:00:00.1], [2024-01-31T10:00:00,123456789Z], [2024-01-31T10:00-0530], [2024-01-31T10:00+05:30]',
  ])('%s', (marked) => expectMarked('datetime', marked));

  it.each(['24:00', '10:60', '10:00a', '10:00_'])('is found as a date alone if the time is %s', (time) =>
    expectMarked('date', `[2024-01-31] ${time}`),
  );

  it('is not found if the day does not exist', () => expectMarked('datetime', '2023-02-29T10:00:00Z'));
});
