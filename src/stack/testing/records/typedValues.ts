/**
 * Values of every kind of column, and whether a column can have them: written down, and not computed by what is tested. Each
 * good value has the text that the engine shows for what was stored.
 */
import * as fc from 'fast-check'

export interface TypedColumn {
  name: string
  type: string
  /** JSON, and the text of the stored value. */
  good: fc.Arbitrary<readonly [json: string, stored: string]>
  /** JSON of values that the column cannot have. */
  bad: fc.Arbitrary<string>
}

const texts = (...values: readonly unknown[]) => fc.constantFrom(...values.map((value) => JSON.stringify(value)))
const pairs = (...values: readonly (readonly [string, string])[]) => fc.constantFrom(...values)
const same = (...values: readonly string[]) => pairs(...values.map((value) => [JSON.stringify(value), value] as const))

/** A column of whole numbers. */
function integers(name: string, type: string, least: bigint, most: bigint): TypedColumn {
  const inside = fc.oneof(fc.constantFrom(least, most, 0n, 1n), fc.bigInt({ min: least, max: most }))
  const outside = fc.oneof(
    fc.bigInt({ min: 1n, max: 2n ** 140n }).map((by) => most + by),
    fc.bigInt({ min: 1n, max: 2n ** 140n }).map((by) => least - by),
    fc.constantFrom(most + 1n, least - 1n, most * 1000n),
  )
  const quoted = (number: bigint, isQuoted: boolean) => (isQuoted ? `"${number}"` : String(number))
  return {
    name,
    type,
    good: fc
      .tuple(inside, fc.boolean())
      .map(([number, isQuoted]) => [quoted(number, isQuoted), String(number)] as const),
    bad: fc.oneof(
      fc.tuple(outside, fc.boolean()).map(([number, isQuoted]) => quoted(number, isQuoted)),
      fc.constantFrom('1.5', '1e2', '"many"', '[1]', '{"a":1}', '"1x"'),
    ),
  }
}

const widths = [8n, 16n, 32n, 64n, 128n, 256n]
const integerColumns = widths.flatMap((bits) => [
  integers(`i${bits}`, `Int${bits}`, -(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n),
  integers(`u${bits}`, `UInt${bits}`, 0n, 2n ** bits - 1n),
])

const noDates = ['2026-13-01', '2026-00-10', '2026-02-30', '2026-04-31', 'soon', '20261301']

/** All columns besides the number of the record. */
export const typedColumns: readonly TypedColumn[] = [
  ...integerColumns,
  {
    name: 'price',
    type: 'Decimal(9, 2)',
    good: pairs(['12.34', '12.34'], ['"-9999999.99"', '-9999999.99'], ['7', '7']),
    bad: fc.constantFrom('123456789.1', '1e10', '"much"', '[1]', 'true'),
  },
  {
    name: 'f32',
    type: 'Float32',
    good: pairs(['1.5', '1.5'], ['-3e10', '-30000000000'], ['"nan"', 'nan']),
    bad: fc.constantFrom('1e39', '-3.5e38', '"x"', '[1]'),
  },
  {
    name: 'f64',
    type: 'Float64',
    good: pairs(['1.5', '1.5'], ['1e300', '1e300'], ['"inf"', 'inf']),
    bad: fc.constantFrom('1e400', '-1e309', '"x"', '{}'),
  },
  {
    name: 'flag',
    type: 'Bool',
    good: pairs(['true', 'true'], ['false', 'false'], ['1', 'true']),
    bad: fc.constantFrom('2', '"maybe"', '[true]', '-1'),
  },
  {
    name: 'uuid',
    type: 'UUID',
    good: same('00112233-4455-6677-8899-aabbccddeeff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    bad: texts('x', '', 5, '00112233-4455-6677-8899-aabbccddee', 'zz112233-4455-6677-8899-aabbccddeeff', [1]),
  },
  {
    name: 'ip4',
    type: 'IPv4',
    good: same('10.0.0.1', '255.255.255.255'),
    bad: texts('256.0.0.1', '1.2.3', 'x', '1.2.3.4.5', '::1', [1]),
  },
  {
    name: 'ip6',
    type: 'IPv6',
    good: pairs(['"::1"', '::1'], ['"2001:db8::ff"', '2001:db8::ff'], ['"1.2.3.4"', '::ffff:1.2.3.4']),
    bad: texts('x', 'gg::1', '1:2:3', 7, {}),
  },
  {
    name: 'e8',
    type: "Enum8('red' = 1, 'dark blue' = -5)",
    good: pairs(['"red"', 'red'], ['"dark blue"', 'dark blue'], ['1', 'red'], ['-5', 'dark blue']),
    bad: texts('green', 2, 257, -251, 'RED', [1]),
  },
  {
    name: 'e16',
    type: "Enum16('a' = 300, 'b' = 7)",
    good: pairs(['"a"', 'a'], ['300', 'a']),
    bad: texts('c', 65_836, 8, {}),
  },
  {
    name: 'day',
    type: 'Date',
    good: pairs(
      ['"2026-02-28"', '2026-02-28'],
      ['"1970-01-01"', '1970-01-01'],
      ['"2149-06-06"', '2149-06-06'],
      ['20000', '2024-10-04'],
      ['"2026/01/02"', '2026-01-02'],
      ['"20260102"', '2026-01-02'],
    ),
    bad: fc.oneof(
      texts(...noDates, '1969-12-31', '2149-06-07', '1900-01-01', '9999-12-31', 70_000, 1_700_000_000),
      fc.constantFrom('-1', '[1]'),
    ),
  },
  {
    name: 'wideDay',
    type: 'Date32',
    good: pairs(['"1900-01-01"', '1900-01-01'], ['"2299-12-31"', '2299-12-31'], ['"2024-02-29"', '2024-02-29']),
    bad: texts(...noDates, '1899-12-31', '2300-01-01', '9999-12-31', '2023-02-29', {}),
  },
  {
    name: 'at',
    type: 'DateTime',
    good: pairs(
      ['"2026-01-02 03:04:05"', '2026-01-02 03:04:05'],
      ['"2026-01-02T03:04:05Z"', '2026-01-02 03:04:05'],
      ['"2026-01-02T03:04:05.678+02:00"', '2026-01-02 01:04:05'],
      ['1700000000', '2023-11-14 22:13:20'],
      ['"1700000000"', '2023-11-14 22:13:20'],
      ['"2026-01-02"', '2026-01-02 00:00:00'],
    ),
    bad: texts(
      '2026-13-01 00:00:00',
      '2026-02-30T00:00:00Z',
      '2026-01-02 25:00:00',
      '2026-01-02T00:60:00Z',
      '1969-12-31 12:00:00',
      '1969-12-01',
      '2200-01-01 00:00:00',
      5_000_000_000,
      '5000000000',
      -1,
      'soon',
      [1],
    ),
  },
  {
    name: 'preciseAt',
    type: 'DateTime64(3)',
    good: pairs(
      ['"2026-01-02 03:04:05.678"', '2026-01-02 03:04:05.678'],
      ['"1950-01-02T03:04:05.6Z"', '1950-01-02 03:04:05.600'],
      ['1700000000123', '2023-11-14 22:13:20.123'],
      ['"2026-01-02"', '2026-01-02 00:00:00.000'],
    ),
    bad: texts(
      '2026-13-01 00:00:00',
      '2026-02-30T00:00:00Z',
      '2026-01-02 24:30:00',
      '1800-01-01 00:00:00',
      '2400-01-01 00:00:00',
      1e17,
      'soon',
      {},
    ),
  },
  {
    name: 'zoned',
    type: "DateTime('Asia/Tokyo')",
    good: pairs(['"2026-01-02 03:04:05"', '2026-01-02 03:04:05'], ['"2026-01-02T03:04:05Z"', '2026-01-02 12:04:05']),
    bad: texts('2026-01-02 03:04:61', '2026-02-29 00:00:00', 4_294_967_296),
  },
  { name: 'fixed', type: 'FixedString(4)', good: same('abcd', 'wxyz'), bad: texts('abcde', 'ääää', {}) },
  {
    name: 'list',
    type: 'Array(UInt8)',
    good: pairs(['[1,255]', '[1,255]'], ['[]', '[]']),
    bad: fc.constantFrom('[1,256]', '[-1]', '5', '"[1]"', '[1.5]', '{"a":1}', '[[1]]'),
  },
  {
    name: 'days',
    type: 'Array(Date)',
    good: pairs(['["2026-01-02"]', "['2026-01-02']"], ['[]', '[]']),
    bad: fc.constantFrom('["2026-13-02"]', '["2026-01-02","2026-02-30"]', '["x"]'),
  },
  {
    name: 'deep',
    type: 'Array(Array(Nullable(Int16)))',
    good: pairs(['[[1,null],[]]', '[[1,NULL],[]]']),
    bad: fc.constantFrom('[[40000]]', '[1]', '[["x"]]'),
  },
  {
    name: 'sizes',
    type: 'Map(String, Int16)',
    good: pairs(['{"a":1,"b":-32768}', "{'a':1,'b':-32768}"], ['{}', '{}']),
    bad: fc.constantFrom('{"a":32768}', '{"a":"x"}', '[1]', '5'),
  },
  {
    name: 'pair',
    type: 'Tuple(x UInt8, `on` Date)',
    good: pairs(['{"x":1,"on":"2026-01-02"}', "(1,'2026-01-02')"], ['{"x":7}', "(7,'1970-01-01')"]),
    bad: fc.constantFrom('{"x":256,"on":"2026-01-02"}', '{"x":1,"on":"2026-13-02"}', '[300,"2026-01-03"]', '5'),
  },
  {
    name: 'maybe',
    type: 'Nullable(Int32)',
    good: pairs(['null', '\\N'], ['5', '5'], ['-2147483648', '-2147483648']),
    bad: fc.constantFrom('2147483648', '"x"', '1.5', '99999999999999999999'),
  },
  {
    name: 'maybeDay',
    type: 'Nullable(Date)',
    good: pairs(['null', '\\N'], ['"2026-01-02"', '2026-01-02']),
    bad: texts(...noDates),
  },
  { name: 'kind', type: 'LowCardinality(String)', good: same('web', 'jobs'), bad: texts('\ud800') },
  {
    name: 'maybeKind',
    type: 'LowCardinality(Nullable(String))',
    good: pairs(['null', '\\N'], ['"x"', 'x']),
    bad: fc.constant('"\\ud83d"'),
  },
  {
    name: 'object',
    type: 'JSON',
    good: pairs(['{"a":"x"}', '{"a":"x"}'], ['{}', '{}']),
    bad: fc.constantFrom('5', '"x"', '[1]'),
  },
  { name: 'n.x', type: 'Array(UInt8)', good: pairs(['[]', '[]']), bad: fc.constantFrom('[1]', '[300]') },
  { name: 'n.y', type: 'Array(String)', good: pairs(['[]', '[]']), bad: fc.constantFrom('["a"]', '5') },
]

export interface TypedRecord {
  id: number
  json: string
  /** The column with a bad value; null for a good record. */
  bad: string | null
  /** The texts of the stored values of some columns. */
  stored: Readonly<Record<string, string>>
}

/** Records with values in some columns. @param badShare of the records, in percent */
export function typedRecords(count: number, badShare: number): fc.Arbitrary<TypedRecord[]> {
  const places = Array.from({ length: count }, (_, at) => at)
  const badCount = Math.round((count * badShare) / 100)
  return fc
    .tuple(fc.subarray(places, { minLength: badCount, maxLength: badCount }), fc.nat({ max: typedColumns.length - 1 }))
    .chain(([bad, first]) => {
      const badColumns = new Map(bad.map((place, nth) => [place, (first + nth) % typedColumns.length]))
      return fc.tuple(...places.map((place) => typedRecord(place, badColumns.get(place))))
    })
}

/** Which columns have values: without a preference for the first and the last ones. */
const filledColumns = fc.noBias(
  fc.uniqueArray(fc.nat({ max: typedColumns.length - 1 }), { minLength: 1, maxLength: 6 }),
)

/** @param badColumn the index of the column whose value is bad. Default: the record is good */
function typedRecord(id: number, badColumn: number | undefined): fc.Arbitrary<TypedRecord> {
  return filledColumns
    .chain((filled) =>
      fc.tuple(
        ...[...(badColumn === undefined ? [] : [badColumn]), ...filled.filter((at) => at !== badColumn)].map((at) => {
          const column = typedColumns[at]!
          return at === badColumn
            ? column.bad.map((json) => ({ column, json, stored: null }))
            : column.good.map(([json, stored]) => ({ column, json, stored }))
        }),
      ),
    )
    .map((values) => ({
      id,
      json: `{"id":${id},${values.map(({ column, json }) => `${JSON.stringify(column.name)}:${json}`).join(',')}}`,
      bad: values.find(({ stored }) => stored === null)?.column.name ?? null,
      stored: Object.fromEntries(
        values.flatMap(({ column, stored }) => (stored === null ? [] : [[column.name, stored]])),
      ),
    }))
}
