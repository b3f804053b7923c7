/** The columns of what all records of a scope share. They are read once and then repeated for each row. */
import type { ByteWriter } from '../../telemetry/native/byteWriter.ts'
import type { Maps, Values } from '../../telemetry/native/columns.ts'
import { type Part, type Shared, textIn } from '../otlp/parts.ts'
import { tagsOf, type WireReader } from '../otlp/wireReader.ts'
import type { AttributeList } from './attributes.ts'

const resource = tagsOf('Resource')
const scope = tagsOf('Scope')
const serviceName = Buffer.from('service.name')

/** Not every table has all of them. */
export interface SharedColumns {
  ServiceName: Values
  ResourceAttributes: Maps
  ResourceSchemaUrl?: Values
  ScopeName: Values
  ScopeVersion: Values
  ScopeAttributes?: Maps
  ScopeDroppedAttrCount?: Values
  ScopeSchemaUrl?: Values
}

/** Writes them for so many rows. */
export function writeShared(
  columns: SharedColumns,
  wire: WireReader,
  shared: Shared,
  attributes: AttributeList,
  rows: number,
): void {
  if (rows === 0) return
  attributes.read(resource.attributes, ...shared.resource)
  repeat(columns.ServiceName, rows, (data) => attributes.writeValueOf(serviceName, data))
  repeatMap(columns.ResourceAttributes, rows, attributes)
  repeatText(columns.ResourceSchemaUrl, rows, wire, shared.resourceSchemaUrl)
  repeatText(columns.ScopeName, rows, wire, textIn(wire, shared.scope, scope.name))
  repeatText(columns.ScopeVersion, rows, wire, textIn(wire, shared.scope, scope.version))
  if (columns.ScopeAttributes) {
    attributes.read(scope.attributes, ...shared.scope)
    repeatMap(columns.ScopeAttributes, rows, attributes)
  }
  if (columns.ScopeDroppedAttrCount) {
    const dropped = droppedAttributes(wire, shared.scope)
    repeat(columns.ScopeDroppedAttrCount, rows, (data) => data.uint32(dropped))
  }
  repeatText(columns.ScopeSchemaUrl, rows, wire, shared.scopeSchemaUrl)
}

/** Writes a value once, and repeats it for so many rows. */
export function repeat({ data }: Values, rows: number, write: (data: ByteWriter) => void): void {
  const start = data.length
  write(data)
  data.repeat(start, rows)
}

function repeatText(column: Values | undefined, rows: number, { bytes }: WireReader, { start, end }: Part): void {
  if (column) repeat(column, rows, (data) => data.text(bytes, start, end))
}

function repeatMap(map: Maps, rows: number, attributes: AttributeList): void {
  const { keys, values } = map
  const [keysStart, valuesStart] = [keys.length, values.length]
  const entries = attributes.writeEntries(map)
  map.repeat(keysStart, valuesStart, entries, rows)
}

function droppedAttributes(wire: WireReader, parts: readonly Part[]): number {
  let dropped = 0
  for (const { start, end } of parts) {
    wire.at = start
    while (wire.at < end) {
      if (wire.tag() === scope.droppedAttributesCount) dropped = wire.uint32()
      else wire.skip()
    }
  }
  return dropped
}
