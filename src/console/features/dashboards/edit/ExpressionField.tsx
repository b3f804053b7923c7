import { useController } from 'react-hook-form'
import type { Language } from '#console/api/conditions.ts'
import { completions, type Field } from '#console/api/fields.ts'
import { ConditionInput } from '#console/ui/ConditionInput.tsx'
import type { FieldProps } from '#console/ui/form/bound.ts'
import type { TileForm } from './tileForm.ts'

interface ExpressionFieldProps extends FieldProps<TileForm> {
  /** Columns of the tile's source. */
  fields: readonly Field[]
  /** A condition's own; everything else is SQL. */
  language?: string
}

/** An expression or condition over the source's columns, which are offered while it is typed. */
export function ExpressionField(props: ExpressionFieldProps) {
  const { control, name, label, help, placeholder, required = false, fields, language = 'sql' } = props
  const {
    field: { ref, value, onChange, onBlur },
    fieldState: { error },
  } = useController({ control, name })
  const spelling: Language = language === 'lucene' ? 'lucene' : 'sql'
  return (
    <ConditionInput
      inputRef={ref}
      label={label}
      value={String(value ?? '')}
      complete={(typed, cursor) => completions(typed, cursor, fields, spelling)}
      onChange={onChange}
      onBlur={onBlur}
      required={required}
      help={help}
      error={error?.message}
      {...(placeholder !== undefined && { placeholder })}
    />
  )
}
