import { type FieldValues, useController } from 'react-hook-form'
import type { Language } from '#console/charting/conditions/conditions.ts'
import { completions, type Field } from '#console/charting/fields.ts'
import { ConditionInput } from '#console/ui/suggest/ConditionInput.tsx'
import type { FieldProps } from '#console/ui/form/fields/fieldProps.ts'

interface ExpressionFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  /** Columns of its source. */
  fields: readonly Field[]
  /** A condition's own; everything else is SQL. */
  language?: string
}

/** An expression or condition over a source's columns, which are offered while it is typed. */
export function ExpressionField<Values extends FieldValues>(props: ExpressionFieldProps<Values>) {
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
