import { type FieldPath, type FieldValues, useWatch } from 'react-hook-form'
import { languages } from '#console/charting/conditions/conditions.ts'
import type { Field } from '#console/charting/fields.ts'
import type { FieldProps } from '#console/ui/form/fields/fieldProps.ts'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { ExpressionField } from './ExpressionField.tsx'
import * as css from '../dashboards.module.css'

interface ConditionFieldsProps<Values extends FieldValues> extends FieldProps<Values> {
  /** The field that holds the condition's language. */
  languageName: FieldPath<Values>
  /** Columns of its source. */
  fields: readonly Field[]
  /** The field was focused: suggestions are needed. */
  onActivate?: () => void
}

/** A condition and its language, side by side. */
export function ConditionFields<Values extends FieldValues>(props: ConditionFieldsProps<Values>) {
  const { control, languageName, onActivate, ...condition } = props
  const language = String(useWatch({ control, name: languageName }))
  return (
    <div onFocus={onActivate} className={css.conditionFields}>
      <ExpressionField {...condition} control={control} language={language} />
      <SelectField control={control} name={languageName} label="Language" options={languages} />
    </div>
  )
}
