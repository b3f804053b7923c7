/** Whether a column of the destination can take the values of another type. */
import { columnType, plainType, type ColumnType } from '../values/columnType.ts'

/** The types that columns of PostgreSQL become. What people made of others is theirs. */
const ownTypes = /^(?:Int16|Int32|Int64|UInt8|Float32|Float64|Date32|DateTime64|UUID|Decimal|String|Array)$/

/** @param have the type of the destination. @param wanted that of the source, as the engine spells it */
export function hasRoom(have: string, wanted: string): boolean {
  const [current, asked] = [columnType(have), columnType(wanted)]
  const [one, other] = [plainType(current), plainType(asked)]
  if (current.text !== one.type.text && current.name !== 'Nullable') return true
  if (other.isNullable && !one.isNullable && ownTypes.test(one.type.name)) return false
  return holds(one.type, other.type)
}

function holds(have: ColumnType, wanted: ColumnType): boolean {
  if (have.text === wanted.text || have.name === 'String' || !ownTypes.test(have.name)) return true
  const [own, other] = [have.parts[0]?.type, wanted.parts[0]?.type]
  if (have.name === 'Array') return wanted.name === 'Array' && !!own && !!other && hasRoom(own.text, other.text)
  switch (wanted.name) {
    case 'Int16':
    case 'Int32':
    case 'Int64':
      return bits(have) >= bits(wanted)
    case 'Float32':
      return have.name === 'Float64'
    case 'Date32':
      return have.name === 'DateTime64'
    case 'Decimal':
      return have.name === 'Decimal' && scale(have) >= scale(wanted) && whole(have) >= whole(wanted)
    default:
      return false
  }
}

const bits = ({ name }: ColumnType) => Number(/^Int(\d+)$/.exec(name)?.[1] ?? 0)
const scale = ({ args }: ColumnType) => Number(args[1] ?? 0)
const whole = (type: ColumnType) => Number(type.args[0] ?? 0) - scale(type)
