import { Minus, Plus } from 'lucide-react'
import type { Language } from '#console/charting/conditions/conditions.ts'
import { filterText, type ValueFilter } from '#console/charting/search/filters.ts'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { attributeOf } from '#domain/query/sqlValues.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import type { SearchRow } from '#contract/stack/search.ts'
import { valueText } from '#console/charting/rows/columns.ts'
import * as css from '../search.module.css'

interface AttributeTreeProps {
  row: SearchRow
  language: Language
  onFilter: (filter: ValueFilter) => void
}

interface Attribute {
  name: string
  expression: string
  value: string
}

/** The columns of a row, and the keys of its maps below them. Empty columns are left out. */
export function AttributeTree({ row, language, onFilter }: AttributeTreeProps) {
  const plain: Attribute[] = []
  const groups: { name: string; attributes: Attribute[] }[] = []
  for (const [name, value] of Object.entries(row)) {
    if (isPlainObject(value)) {
      const attributes = Object.entries(value).map(([key, attribute]) => ({
        name: key,
        expression: attributeOf(name, key),
        value: valueText(attribute),
      }))
      if (attributes.length > 0) groups.push({ name, attributes })
    } else if (!isEmpty(value)) {
      plain.push({ name, expression: name, value: valueText(value) })
    }
  }
  return (
    <>
      {[{ name: 'Row', attributes: plain }, ...groups].map(({ name, attributes }) => (
        <div key={name} className={css.attributeGroup}>
          <Text variant="h3" className={css.attributeTitle}>
            {name} <span>{attributes.length}</span>
          </Text>
          <dl className={css.attributes}>
            {attributes.map((attribute) => (
              <AttributeRow key={attribute.name} attribute={attribute} language={language} onFilter={onFilter} />
            ))}
          </dl>
        </div>
      ))}
    </>
  )
}

const isEmpty = (value: unknown) => value === '' || value === null || (Array.isArray(value) && value.length === 0)

interface AttributeRowProps {
  attribute: Attribute
  language: Language
  onFilter: (filter: ValueFilter) => void
}

function AttributeRow({ attribute: { name, expression, value }, language, onFilter }: AttributeRowProps) {
  const filterable = filterText({ expression, value, mode: 'in' }, language) !== null
  return (
    <div className={css.attribute}>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd className={css.attributeTools}>
        {filterable && (
          <>
            <IconButton aria-label={`Filter by ${name}`} onClick={() => onFilter({ expression, value, mode: 'in' })}>
              <Plus size={12} aria-hidden />
            </IconButton>
            <IconButton aria-label={`Exclude ${name}`} onClick={() => onFilter({ expression, value, mode: 'out' })}>
              <Minus size={12} aria-hidden />
            </IconButton>
          </>
        )}
        <CopyButton text={value} label={`Copy ${name}`} compact />
      </dd>
    </div>
  )
}
