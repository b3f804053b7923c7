import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatNumber, formatUnit, type NumberFormat, numericUnits, readNumberFormat } from './numberFormat.ts'
import { commonUnit, tickBase, tickFormat } from './axisUnits.ts'
import { formatShort, formatValue } from './units.ts'

const named = [...numericUnits.byte, ...numericUnits.data_rate, ...numericUnits.throughput]

/** 1,536 of each, with two digits: what the vendor's page shows. */
const shown: Record<string, string> = {
  bytes_iec: '1.50 KiB',
  bytes_si: '1.54 KB',
  bits_iec: '1.50 Kibit',
  bits_si: '1.54 Kbit',
  kibibytes: '1536.00 KiB',
  kilobytes: '1536.00 KB',
  mebibytes: '1536.00 MiB',
  megabytes: '1536.00 MB',
  gibibytes: '1536.00 GiB',
  gigabytes: '1536.00 GB',
  tebibytes: '1536.00 TiB',
  terabytes: '1536.00 TB',
  pebibytes: '1536.00 PiB',
  petabytes: '1536.00 PB',
  packets_sec: '1536.00 pkt/s',
  bytes_sec_iec: '1.50 KiB/s',
  bytes_sec_si: '1.54 KB/s',
  bits_sec_iec: '1.50 Kibit/s',
  bits_sec_si: '1.54 Kbit/s',
  kibibytes_sec: '1536.00 KiB/s',
  kibibits_sec: '1536.00 Kibit/s',
  kilobytes_sec: '1536.00 KB/s',
  kilobits_sec: '1536.00 Kbit/s',
  mebibytes_sec: '1536.00 MiB/s',
  mebibits_sec: '1536.00 Mibit/s',
  megabytes_sec: '1536.00 MB/s',
  megabits_sec: '1536.00 Mbit/s',
  gibibytes_sec: '1536.00 GiB/s',
  gibibits_sec: '1536.00 Gibit/s',
  gigabytes_sec: '1536.00 GB/s',
  gigabits_sec: '1536.00 Gbit/s',
  tebibytes_sec: '1536.00 TiB/s',
  tebibits_sec: '1536.00 Tibit/s',
  terabytes_sec: '1536.00 TB/s',
  terabits_sec: '1536.00 Tbit/s',
  pebibytes_sec: '1536.00 PiB/s',
  pebibits_sec: '1536.00 Pibit/s',
  petabytes_sec: '1536.00 PB/s',
  petabits_sec: '1536.00 Pbit/s',
  cps: '1536.00 cps',
  ops: '1536.00 ops',
  rps: '1536.00 rps',
  reads_sec: '1536.00 rps',
  wps: '1536.00 wps',
  iops: '1536.00 iops',
  cpm: '1536.00 cpm',
  opm: '1536.00 opm',
  rpm_reads: '1536.00 rpm',
  wpm: '1536.00 wpm',
}

test.each(Object.entries(numericUnits).flatMap(([output, units]) => [...units.keys()].map((name) => [output, name])))(
  '1536 in %s as %s',
  (output = '', numericUnit = '') => {
    expect(formatNumber(1536, { output, numericUnit, mantissa: 2 })).toBe(shown[numericUnit])
    // Only data and rates have such a unit.
    expect(formatNumber(1536, { output: 'number', numericUnit })).toBe('1536')
  },
)

describe('formats', () => {
  test.each<[number, NumberFormat, string]>([
    [1536, { output: 'byte', numericUnit: 'gibibytes' }, '1536 GiB'],
    [1536, { output: 'byte', numericUnit: 'bytes_iec' }, '1.5 KiB'],
    [1536, { output: 'byte', numericUnit: 'bytes_si' }, '1.54 KB'],
    [-1024, { output: 'byte', numericUnit: 'bytes_iec' }, '-1 KiB'],
    [0, { output: 'byte', numericUnit: 'bytes_iec' }, '0 B'],
    [2 ** 60, { output: 'byte', numericUnit: 'bytes_iec' }, '1024 PiB'],
    [1536, { output: 'byte', mantissa: 1 }, '1.5 KB'],
    [1500, { output: 'byte', mantissa: 1, decimalBytes: true }, '1.5 KB'],
    [1e21, { output: 'byte', decimalBytes: true }, '1 ZB'],
    [1234.5678, { output: 'number', mantissa: 2 }, '1234.57'],
    [1234.5678, { output: 'number', mantissa: 0 }, '1235'],
    [1_234_567, { output: 'number', thousandSeparated: true }, '1,234,567'],
    [1234, { output: 'number', unit: 'orders' }, '1234 orders'],
    [1536, { output: 'number', average: true, mantissa: 1 }, '1.5k'],
    [1_234_567, { output: 'number', average: true, mantissa: 0 }, '1m'],
    [2.5e9, { output: 'number', average: true }, '2.5b'],
    [-4e12, { output: 'number', average: true }, '-4t'],
    [1000, { output: 'number', factor: 0.001 }, '1000'],
    [1536, { output: 'currency', currencySymbol: '€', thousandSeparated: true, mantissa: 2 }, '€1,536.00'],
    [1234.56, { output: 'currency', thousandSeparated: true, mantissa: 0 }, '$1,235'],
    [-5, { output: 'currency', mantissa: 2 }, '-$5.00'],
    [0.1234, { output: 'percent', mantissa: 0 }, '12%'],
    [0.1234, { output: 'percent', mantissa: 2 }, '12.34%'],
    [0.004, { output: 'percent' }, '0.4%'],
    [1234.567, { output: 'data_rate', mantissa: 2 }, '1234.57'],
    [9999, { output: 'throughput' }, '9999'],
    [12, { output: 'throughput', unit: 'orders/s' }, '12 orders/s'],
    [3661, { output: 'time' }, '1:01:01'],
    [61_000, { output: 'time', factor: 0.001 }, '0:01:01'],
    [30.41, { output: 'duration' }, '30.41 s'],
    [0.045, { output: 'duration' }, '45 ms'],
    [0.0003, { output: 'duration' }, '300 µs'],
    [500, { output: 'duration', factor: 1e-9 }, '0.5 µs'],
    [3661, { output: 'duration' }, '1.02 h'],
    [90, { output: 'duration' }, '1.5 min'],
    [0, { output: 'duration' }, '0 ms'],
    [-0.045, { output: 'duration' }, '-45 ms'],
    [-0.001, { output: 'number', mantissa: 0 }, '0'],
    [1.005, { output: 'number', mantissa: 2 }, '1.01'],
    [5, { output: 'number', mantissa: -3 }, '5'],
    [5, { output: 'something newer' }, '5'],
  ])('%d as %j is %s', (value, format, text) => expect(formatNumber(value, format)).toBe(text))

  test('what a configuration has is read, and what it has wrongly is left out', () => {
    expect(readNumberFormat(undefined)).toBeUndefined()
    const read = readNumberFormat({ output: 3, mantissa: 'two', factor: Infinity, unit: '' }) ?? ''
    expect(formatValue(1234.5, read)).toBe('1235')
    expect(commonUnit([read, formatUnit({ output: 'number', mantissa: 2 })])).toBe(read)
    expect(commonUnit([read, 'number'])).toBe('number')
  })

  const format = fc.record(
    {
      output: fc.constantFrom('number', 'currency', 'percent', 'byte', 'time', 'duration', 'data_rate', 'throughput'),
      numericUnit: fc.constantFrom(...named.map(([name]) => name)),
      mantissa: fc.integer({ min: -5, max: 400 }),
      thousandSeparated: fc.boolean(),
      average: fc.boolean(),
      decimalBytes: fc.boolean(),
      factor: fc.double({ noNaN: true, min: 1e-9, max: 1e6 }),
    },
    { requiredKeys: ['output'] },
  )

  test('any value has a text in any format, in full and on an axis, and zero has its unit', () => {
    fc.assert(
      fc.property(fc.double(), format.map(formatUnit), (value, format) => {
        expect(formatValue(value, format)).not.toMatch(/NaN|undefined/)
        expect(formatShort(value, format)).not.toMatch(/undefined/)
        expect(formatValue(0, format)).toMatch(/^[^1-9]*$/)
        expect(tickBase(value, format)).toBeGreaterThan(0)
      }),
    )
  })

  test('an axis is shorter than its format asks for, and its zero has the unit of the tick beside it', () => {
    expect(formatShort(20_000, formatUnit({ output: 'currency', currencySymbol: '€', mantissa: 2 }))).toBe('€20k')
    expect(formatShort(0.25, formatUnit({ output: 'percent', mantissa: 0 }))).toBe('25%')
    expect(formatShort(1536, formatUnit({ output: 'byte', numericUnit: 'gibibytes', mantissa: 3 }))).toBe('1536 GiB')
    const ns = tickFormat([0, 5e8, 1e9, 1.5e9], 'ns')
    expect([0, 5e8, 1e9, 1.5e9].map(ns)).toEqual(['0 ms', '500 ms', '1 s', '1.5 s'])
    expect(tickFormat([0, 1024], 'bytes')(0)).toBe('0 KiB')
    expect(tickFormat([0], 'ms')(0)).toBe('0 ms')
    expect(tickFormat([0, 20])(0)).toBe('0')
  })
})
