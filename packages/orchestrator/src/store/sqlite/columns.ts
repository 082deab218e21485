import type { JsonValue } from '@svc/contracts';
import type { SQLOutputValue } from 'node:sqlite';

/** A row as the driver returns it. */
export type Row = Record<string, SQLOutputValue>;

export const text = (row: Row, column: string): string => String(row[column]);
export const whole = (row: Row, column: string): number => Number(row[column]);
export const isSet = (row: Row, column: string): boolean => row[column] !== null && row[column] !== undefined;

/** The value that `JSON.stringify` wrote into a column. */
export const json = (row: Row, column: string) => JSON.parse(text(row, column)) as JsonValue;
