import { Plus, Trash2 } from 'lucide-react'
import { hint } from '#console/ui/hint/hint.ts'
import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import type { TileForm } from './tileForm.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from '../dashboards.module.css'

const maxFormulas = 10

/** Formulas over the series, such as `A / B * 100`. */
export function FormulaFields({ form }: { form: UseFormReturn<TileForm> }) {
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'formulas' })
  return (
    <div className={css.formulaFields}>
      {fields.map((field, index) => (
        <div key={field.id} className={css.formula}>
          <TextField
            control={control}
            name={`formulas.${index}.expression`}
            label={`Formula ${index + 1}`}
            mono
            help="A / B * 100"
          />
          <TextField control={control} name={`formulas.${index}.alias`} label="Alias" />
          <IconButton
            {...hint(`Remove formula ${index + 1}`)}
            aria-label={`Remove formula ${index + 1}`}
            onClick={() => remove(index)}
          >
            <Trash2 size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      {fields.length < maxFormulas && (
        <Button
          onClick={() => append({ origin: -1, expression: '', alias: '' })}
          startIcon={<Plus size={14} aria-hidden />}
          className={css.addButton}
        >
          Add formula
        </Button>
      )}
    </div>
  )
}
