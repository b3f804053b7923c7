/**
 * How columns are read so that no value is stored as another one. The engine's parsers wrap numbers that are out of range
 * (300 becomes 44 in UInt8) and move dates that do not exist. So a number is read as a wider type and cast accurately, and
 * a date as its text, which must be the one that the engine itself writes. A statement with a value that is not certain
 * fails: its records are looked at one by one then.
 */
import { identifier, literal } from '../loads/sqlNames.ts'
import { plainType, type ColumnType } from './columnType.ts'

export interface CheckedColumn {
  /** The type to read the column as. */
  readAs: string
  /** The value of the column's own type. Fails for one that does not fit. */
  value(expression: string): string
  /** Whether it is certain that the value is stored as it was sent; null if it is for all values. */
  isCertain(expression: string): string | null
}

/** Null for a type whose values the engine's parser checks by itself. */
export function checkedColumn(type: ColumnType): CheckedColumn | null {
  const { type: plain, isNullable } = plainType(type)
  if (plain.parts.length > 0) return composedReading(plain, checkedColumn)
  // A text is empty for a missing value too, unless it may be null.
  const isText = leafReading(plain) === 'String'
  const hasNull = isText || isNullable
  const leaf = checkedLeaf(plain, hasNull ? `Nullable(${plain.text})` : plain.text)
  if (!leaf) return null
  const { readAs, value, isCertain } = leaf
  return {
    readAs: hasNull ? `Nullable(${readAs})` : readAs,
    value: (expression) => {
      const found = value(expression)
      const stored = hasNull && !isNullable ? `ifNull(${found}, defaultValueOfTypeName(${literal(plain.text)}))` : found
      return type === plain && !hasNull ? stored : castTo(type.text, stored)
    },
    isCertain: (expression) => {
      if (!isCertain) return null
      // A value that cannot be read as the type is null too.
      return hasNull ? `ifNull(${isCertain(expression)}, isNull(${expression}))` : isCertain(expression)
    },
  }
}

interface CheckedLeaf {
  readAs: string
  value(expression: string): string
  isCertain?(expression: string): string
}

/** The type that values of a type are read as; null if the engine's parser checks them by itself. */
function leafReading({ name, text }: ColumnType): string | null {
  if (/^U?Int(?:8|16|32|64)$/.test(name)) {
    // A value that overflows even this is a multiple of 2^128 away from every number that fits.
    return 'Int128'
  }
  if (/^U?Int128$/.test(name)) return 'Int256'
  if (/^U?Int256$/.test(name)) return 'String'
  if (/^Float(?:32|64)$/.test(name)) return text
  return /^(?:Date|Date32|DateTime|DateTime64|Enum8|Enum16)$/.test(name) ? 'String' : null
}

/** @param as the type of the value, which may have a null */
function checkedLeaf(type: ColumnType, as: string): CheckedLeaf | null {
  const readAs = leafReading(type)
  if (readAs === null) return null
  const cast = (expression: string) => castTo(as, expression)
  switch (type.name) {
    case 'Float32':
    case 'Float64':
      return { readAs, value: (expression) => expression, isCertain: (value) => `NOT isInfinite(${value})` }
    case 'Date':
    case 'Date32':
      return { readAs, value: cast, isCertain: (text) => `toString(${cast(text)}) = ${text}` }
    case 'DateTime':
      return {
        readAs,
        value: (text) => dateTime(type, text),
        isCertain: (text) => isTime(text, '19(?:7[1-9]|[89]\\d)|20\\d\\d'),
      }
    case 'DateTime64':
      return {
        readAs,
        value: (text) => dateTime(type, text),
        isCertain: (text) => isTime(text, '(?:19|20|21)\\d\\d'),
      }
    case 'Enum8':
    case 'Enum16':
      return { readAs, value: cast }
    case 'Int256':
    case 'UInt256':
      return { readAs, value: cast, isCertain: (text) => `toString(${cast(text)}) = ${text}` }
    default:
      return { readAs, value: (expression) => `accurateCast(${expression}, ${literal(as)})` }
  }
}

/** A time in the forms that most sources write. @param years a pattern of those that fit every zone */
function isTime(text: string, years: string): string {
  const date = `(?:${years})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])`
  const time = '[T ](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?'
  return `match(${text}, ${literal(`^${date}${time}(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)?$`)})`
}

/** Any time, in place of one that is missing: the function reads that as well. */
const anyTime = literal('2026-01-02 03:04:05')

function dateTime(type: ColumnType, text: string): string {
  const isPrecise = type.name === 'DateTime64'
  const digits = isPrecise ? [type.args[0] ?? '3'] : []
  const zone = type.args[isPrecise ? 1 : 0]
  const args = [`ifNull(${text}, ${anyTime})`, ...digits, ...(zone ? [zone] : [])].join(', ')
  return `if(isNull(${text}), NULL, parseDateTime${isPrecise ? '64' : ''}BestEffort(${args}))`
}

function castTo(type: string, expression: string): string {
  return `CAST(${expression}, ${literal(type)})`
}

/**
 * Arrays, maps and tuples, by how their parts are read.
 * @param readPart null for a part that is read as its own type
 * @returns null if all are
 */
export function composedReading(
  type: ColumnType,
  readPart: (part: ColumnType, isKey: boolean) => CheckedColumn | null,
): CheckedColumn | null {
  const isMap = type.name === 'Map'
  const parts = type.parts.map((part, at) => ({ ...part, checked: readPart(part.type, isMap && at === 0) }))
  if (parts.every(({ checked }) => checked === null)) return null
  const readAs = parts.map(({ name, type: part, checked }) => {
    return `${name === null ? '' : `${identifier(name)} `}${checked?.readAs ?? part.text}`
  })
  /** The expression applied to a part; the part itself if it needs no check. */
  const valueOf = (at: number, expression: string) => parts[at]?.checked?.value(expression) ?? expression
  const certaintyOf = (at: number, expression: string) => parts[at]?.checked?.isCertain(expression) ?? null
  const depth = depthOf(type)
  const [valueName, keyName] = [`v${depth}`, `k${depth}`]
  switch (type.name) {
    case 'Array':
      return {
        readAs: `Array(${readAs.join(', ')})`,
        value: (list) => castTo(type.text, `arrayMap(${valueName} -> ${valueOf(0, valueName)}, ${list})`),
        isCertain: (list) => every(certaintyOf(0, valueName), valueName, list),
      }
    case 'Map':
      return {
        readAs: `Map(${readAs.join(', ')})`,
        value: (map) =>
          castTo(
            type.text,
            `mapApply((${keyName}, ${valueName}) -> (${valueOf(0, keyName)}, ${valueOf(1, valueName)}), ${map})`,
          ),
        isCertain: (map) =>
          and([
            every(certaintyOf(0, valueName), valueName, `mapKeys(${map})`),
            every(certaintyOf(1, valueName), valueName, `mapValues(${map})`),
          ]),
      }
    case 'Tuple': {
      const element = (tuple: string, at: number) => `tupleElement(${tuple}, ${at + 1})`
      return {
        readAs: `Tuple(${readAs.join(', ')})`,
        value: (tuple) =>
          castTo(type.text, `tuple(${parts.map((_, at) => valueOf(at, element(tuple, at))).join(', ')})`),
        isCertain: (tuple) => and(parts.map((_, at) => certaintyOf(at, element(tuple, at)))),
      }
    }
    default:
      return null
  }
}

function depthOf({ parts }: ColumnType): number {
  return parts.reduce((most, { type }) => Math.max(most, 1 + depthOf(type)), 0)
}

function every(condition: string | null, name: string, list: string): string | null {
  return condition === null ? null : `arrayAll(${name} -> ${condition}, ${list})`
}

function and(conditions: readonly (string | null)[]): string | null {
  const all = conditions.filter((condition) => condition !== null)
  return all.length === 0 ? null : all.join(' AND ')
}
