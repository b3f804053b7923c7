/** Where the values of a column may be null that have no null: the column itself, and the elements of arrays, maps and tuples. */
import { identifier, literal } from '../loads/sqlNames.ts'
import { hasNull, nullableType, type ColumnType } from './columnType.ts'

export interface NullPlace {
  /** The field: `list[]` for an element of an array, `map.*` for a value of a map, `tuple.name` for a part of a tuple. */
  field: string
  isWithin: boolean
  /** The number of such nulls of a row, as an expression in SQL. */
  count: string
}

interface Looked {
  /** Whether the field itself is one. */
  isLacking: boolean
  hasElements: boolean
  findsParts: boolean
}

/** @param type as the column has it; it is read as one whose values may be null */
export function nullPlaces(type: ColumnType, name: string, looked: Looked): NullPlace[] {
  const column = identifier(name)
  const canBeNull = nullableType(type) !== null || hasNull(type)
  if (canBeNull) return looked.isLacking ? [{ field: name, isWithin: false, count: isNull(column) }] : []
  return looked.hasElements ? elementsOf(type, name, column, looked, 0) : []
}

/** @param depth of the lambda, for the name of its argument */
function elementsOf(type: ColumnType, field: string, value: string, looked: Looked, depth: number): NullPlace[] {
  const [one, other] = type.parts
  const element = `e${depth}`
  const each = (list: string, of: ColumnType | undefined, name: string) =>
    (of ? placesOf(of, name, element, looked, depth + 1) : []).map(({ count, ...place }) => ({
      ...place,
      count: `arraySum(${element} -> ${count}, ${list})`,
    }))
  if (type.name === 'Array') return each(value, one?.type, `${field}[]`)
  if (type.name === 'Map') return each(`mapValues(${value})`, other?.type, `${field}.*`)
  if (type.name !== 'Tuple' || !looked.findsParts) return []
  return type.parts.flatMap((part, at) =>
    placesOf(part.type, `${field}.${part.name ?? at + 1}`, `tupleElement(${value}, ${at + 1})`, looked, depth),
  )
}

function placesOf(type: ColumnType, field: string, value: string, looked: Looked, depth: number): NullPlace[] {
  if (nullableType(type) !== null) return [{ field, isWithin: true, count: isNull(value) }]
  return hasNull(type) ? [] : elementsOf(type, field, value, looked, depth)
}

const isNull = (value: string) => `toUInt64(isNull(${value}))`

/** A condition that fails for the first null, with the name of its field. */
export function withoutNulls(places: readonly NullPlace[]): string[] {
  return places.map((place) => `throwIf(${place.count} > 0, ${literal(nullReason(place))}) = 0`)
}

/** Why a null makes a record bad. */
export function nullReason({ field, isWithin }: Pick<NullPlace, 'field' | 'isWithin'>): string {
  return isWithin
    ? `${field}: null, and its type within the column is not Nullable`
    : `${field}: null, and its column is neither Nullable nor has a DEFAULT that needs no other column`
}
