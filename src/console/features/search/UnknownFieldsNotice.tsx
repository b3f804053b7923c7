import { fieldsOf } from '#console/charting/fields.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Source } from '#contract/stack/sources.ts'
import { namesInText, withTextAsField } from '#domain/query/textAsField.ts'
import { similarNames } from '#domain/text/similarNames.ts'
import * as css from './search.module.css'

interface UnknownFieldsNoticeProps {
  condition: string
  /** Names that are not fields of the source. */
  unknown: ReadonlySet<string>
  source: Source
  onChange: (condition: string) => void
}

/** Names in the condition that are searched as text, and the fields that may be meant. */
export function UnknownFieldsNotice({ condition, unknown, source, onChange }: UnknownFieldsNoticeProps) {
  const names = namesInText(condition, unknown)
  if (names.length === 0) return null
  const quoted = names.map((name) => `“${name}”`)
  const last = quoted.at(-1)
  const text =
    names.length === 1
      ? `${last} is not a field of ${source.name}, so it is searched as text.`
      : `${quoted.slice(0, -1).join(', ')} and ${last} are not fields of ${source.name}, so they are searched as text.`
  const choices = names.flatMap((name) => fieldsFor(name, source).map((field) => ({ name, field })))
  return (
    <div className={css.unknownFieldsNotice}>
      <Notice
        tone="info"
        role="status"
        action={choices.map(({ name, field }) => (
          <Button
            key={`${name} ${field}`}
            size="small"
            onClick={() => onChange(withTextAsField(condition, name, field))}
          >
            Search {field}
          </Button>
        ))}
      >
        {text}
      </Notice>
    </div>
  )
}

const maxSimilar = 2

/** Columns with a similar name, and the attribute of this name. */
function fieldsFor(name: string, source: Source): string[] {
  const [column = name] = name.split(/[.[]/, 1)
  const key = name.slice(column.length)
  const columns = fieldsOf(source)
    .filter(({ kind }) => (kind === 'map') === (key !== ''))
    .map((field) => field.name)
  const attributes = source.eventAttributesExpression
  return [
    ...similarNames(column, columns, maxSimilar).map((similar) => similar + key),
    ...(attributes && !name.startsWith(`${attributes}.`) ? [`${attributes}.${name}`] : []),
  ]
}
