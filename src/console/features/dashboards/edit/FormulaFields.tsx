import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { Plus, Trash2 } from 'lucide-react'
import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { TextField } from '#console/ui/form/TextField.tsx'
import type { TileForm } from './tileForm.ts'

const maxFormulas = 10

/** Formulas over the series, such as `A / B * 100`. */
export function FormulaFields({ form }: { form: UseFormReturn<TileForm> }) {
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'formulas' })
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
      {fields.map((field, index) => (
        <Box key={field.id} sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
          <TextField
            control={control}
            name={`formulas.${index}.expression`}
            label={`Formula ${index + 1}`}
            mono
            help="A / B * 100"
          />
          <TextField control={control} name={`formulas.${index}.alias`} label="Alias" />
          <Tooltip title={`Remove formula ${index + 1}`}>
            <IconButton aria-label={`Remove formula ${index + 1}`} onClick={() => remove(index)}>
              <Trash2 size={14} aria-hidden />
            </IconButton>
          </Tooltip>
        </Box>
      ))}
      {fields.length < maxFormulas && (
        <Button
          onClick={() => append({ origin: -1, expression: '', alias: '' })}
          startIcon={<Plus size={14} aria-hidden />}
          sx={{ alignSelf: 'flex-start' }}
        >
          Add formula
        </Button>
      )}
    </Box>
  )
}
