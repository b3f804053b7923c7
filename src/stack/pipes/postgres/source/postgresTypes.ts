/** The columns of PostgreSQL tables as columns of the engine, and how their values are written as JSON. */

/** A column as the catalog has it. */
export interface SourceColumn {
  /** Its number in the table, which stays the same when it is renamed. */
  number: number
  name: string
  /** As `format_type` writes it: `numeric(10,2)`, `integer[]`. */
  type: string
  dimensions: number
  notNull: boolean
  /** Whether rows of before have a value in it when it is added. */
  hasDefault: boolean
}

/** The type of a column in the engine, as the table function of the engine names it. */
export function engineTypeOf({ type, dimensions, notNull }: SourceColumn): string {
  const element = /^(.*)\[\]$/s.exec(type)?.[1]
  if (element !== undefined) {
    const depth = Math.max(1, dimensions)
    return `${'Array('.repeat(depth)}Nullable(${scalarType(element)})${')'.repeat(depth)}`
  }
  return notNull ? scalarType(type) : `Nullable(${scalarType(type)})`
}

const plainTypes: Readonly<Record<string, string>> = {
  smallint: 'Int16',
  integer: 'Int32',
  bigint: 'Int64',
  boolean: 'UInt8',
  real: 'Float32',
  'double precision': 'Float64',
  date: 'Date32',
  uuid: 'UUID',
  numeric: 'Decimal(38, 19)',
}

function scalarType(type: string): string {
  if (/^timestamp\b/.test(type)) return 'DateTime64(6)'
  const [, precision, scale] = /^numeric\((\d+),(-?\d+)\)$/.exec(type) ?? []
  if (precision !== undefined) return decimalType(Number(precision), Number(scale))
  return plainTypes[type] ?? 'String'
}

/** The most digits of a Decimal. */
const maxDigits = 76

function decimalType(precision: number, scale: number): string {
  // A negative scale stands for zeros in front of the point, and one above the precision for zeros behind it.
  const digits = scale < 0 ? precision - scale : Math.max(precision, scale)
  return digits > maxDigits ? 'String' : `Decimal(${digits}, ${Math.max(0, scale)})`
}

const texts = /^(?:text|character varying|character)\b/

/**
 * A value in the form that the engine reads from JSON: numbers and texts as they are, and the text of anything that the engine
 * stores as a text.
 * @param value an expression with the value
 */
export function jsonValue({ type }: SourceColumn, value: string): string {
  const element = /^(.*)\[\]$/s.exec(type)?.[1]
  const engineType = scalarType(element ?? type)
  const list = element === undefined ? '' : '[]'
  if (engineType === 'String') return texts.test(element ?? type) ? value : `${value}::text${list}`
  return engineType === 'UInt8' ? `${value}::int${list}` : value
}

/** Whether two keys that are different at the source are different in the engine. */
export function isExactKey(column: SourceColumn): boolean {
  return (
    /^(?:Int16|Int32|Int64|UInt8|String|UUID|Date32|DateTime64\(6\)|Decimal.*)$/.test(scalarType(column.type)) &&
    column.type !== 'numeric' &&
    !column.type.endsWith('[]')
  )
}

/** Whether texts are compared as they are: other types may have several texts for one value. */
export const isStoredAsText = ({ type }: SourceColumn) => scalarType(type) === 'String'
