/** How the fields of a source become columns of the pipe's table. */
import type { PipeDocument } from '../model/pipeDocument.ts'
import { identifier } from './sqlNames.ts'
import type { Column } from './tableDefinition.ts'

export interface MappedField {
  source: string
  destination: string
  /** The type of the column. */
  type: string
  /** See `Column`. */
  missing?: string
}

/** The mapped fields. Without mappings, fields are inserted into the columns of the same name. */
export function mappedFields({ fieldMappings }: PipeDocument, columns: readonly Column[]): MappedField[] {
  const known = new Map(columns.map((column) => [column.name, column]))
  const byName = columns.map(({ name }) => ({ sourceField: name, destinationField: name }))
  return (fieldMappings ?? byName).map(({ sourceField = '', destinationField = '' }) => {
    const { type = 'String', missing } = known.get(destinationField) ?? {}
    return {
      source: sourceField,
      destination: destinationField,
      type,
      ...(missing !== undefined && { missing }),
    }
  })
}

/** The columns of each field of the source. */
export function byField(fields: readonly MappedField[]): Map<string, MappedField[]> {
  const found = new Map<string, MappedField[]>()
  for (const field of fields) found.set(field.source, [...(found.get(field.source) ?? []), field])
  return found
}

/** How a field is read. @param type its type there */
export function readField({ source, missing }: MappedField, type: string): string {
  return `${identifier(source)} ${type}${missing === undefined ? '' : ` DEFAULT ${missing}`}`
}
