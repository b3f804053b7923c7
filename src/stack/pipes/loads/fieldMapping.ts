/** How the fields of a source become columns of the pipe's table. */
import type { PipeDocument } from '../model/pipeDocument.ts'
import type { Column } from './tableDefinition.ts'

export interface MappedField {
  source: string
  destination: string
  /** The type of the column. */
  type: string
}

/** The mapped fields. Without mappings, fields are inserted into the columns of the same name. */
export function mappedFields({ fieldMappings }: PipeDocument, columns: readonly Column[]): MappedField[] {
  const types = new Map(columns.map((column) => [column.name, column.type]))
  const byName = columns.map(({ name }) => ({ sourceField: name, destinationField: name }))
  return (fieldMappings ?? byName).map(({ sourceField = '', destinationField = '' }) => ({
    source: sourceField,
    destination: destinationField,
    type: types.get(destinationField) ?? 'String',
  }))
}
