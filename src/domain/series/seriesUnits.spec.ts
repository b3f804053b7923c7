import { expect, test } from 'vitest'
import { formatValue } from '../charts/units.ts'
import { otelUnit } from './seriesUnits.ts'

test.each([
  ['ms', 1500, '1.5 s'],
  ['s', 0.25, '250 ms'],
  ['min', 90, '1.5 h'],
  ['By', 1536, '1.5 KiB'],
  ['MiBy', 1536, '1536 MiB'],
  ['By/s', 1536, '1.5 KiB/s'],
  ['%', 42.5, '42.5 %'],
  ['1', 0.5, '0.5'],
  ['', 3, '3'],
  ['{request}', 3, '3'],
  ['{request}/s', 3, '3 request/s'],
  ['1/s', 3, '3 /s'],
  ['Cel', 21, '21 °C'],
  ['Hz', 50, '50 Hz'],
])('a metric in %s: %d is %s', (code, value, text) => expect(formatValue(value, otelUnit(code))).toBe(text))
