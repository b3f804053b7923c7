/** Saved searches. What equals the provider's default is left out. */
import { noteUnknownFields, type Description } from './description.ts'
import { Call, type Attribute } from './hcl.ts'
import { hclOf } from './json.ts'

const known = ['name', 'sourceId', 'select', 'where', 'whereLanguage', 'orderBy', 'tags', 'filters']

export const describeSavedSearch: Description = (record, scope) => {
  const { name, sourceId, whereLanguage, tags, filters } = record
  noteUnknownFields(record, known, scope)
  const attributes: Attribute[] = [
    ['name', text(name)],
    ['source_id', scope.idOf('sources', text(sourceId))],
  ]
  const optional = [
    ['select', 'select'],
    ['where', 'where'],
    ['order_by', 'orderBy'],
  ] as const
  for (const [attribute, key] of optional) {
    if (text(record[key]) !== '') attributes.push([attribute, text(record[key])])
  }
  if (text(whereLanguage) === '') {
    scope.note('The deployment returns no language of the condition, which the first plan sets to lucene.')
  } else attributes.push(['where_language', text(whereLanguage)])
  if (Array.isArray(tags) && tags.length > 0) attributes.push(['tags', tags.map(text)])
  const isDefault = filters === undefined || (Array.isArray(filters) && filters.length === 0)
  if (!isDefault) attributes.push(['filters', new Call('jsonencode', hclOf(filters))])
  return attributes
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
