import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import MuiTextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { Plus, X } from 'lucide-react'
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form'
import { TextField } from '#console/ui/form/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { accessWarnings, type AccessEntry } from './accessList.ts'
import { useOwnAddress } from './ownAddress.ts'
import type { ServiceForm } from './serviceForm.ts'

interface AccessListFieldProps {
  form: UseFormReturn<ServiceForm>
  /** The list that the form started from. */
  base: readonly AccessEntry[]
  locked: string | undefined
}

/** Who may reach the service, as one table. */
export function AccessListField({ form, base, locked }: AccessListFieldProps) {
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'access' })
  const wanted = useWatch({ control, name: 'access' })
  const [own, setOwn] = useOwnAddress()
  const warnings = accessWarnings(base, wanted, own.trim())
  const error = form.formState.errors.access?.message ?? form.formState.errors.access?.root?.message
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      {fields.length === 0 && <Typography color="textSecondary">No address may reach the service.</Typography>}
      {fields.map((field, at) => (
        <Box
          key={field.id}
          role="group"
          aria-label={`Access entry ${at + 1}`}
          sx={{
            display: 'grid',
            gap: 2,
            alignItems: 'start',
            gridTemplateColumns: { xs: 'minmax(0, 1fr) 30px', sm: 'minmax(0, 1fr) minmax(0, 1.4fr) 30px' },
            '& > :nth-of-type(2)': { gridRow: { xs: 2, sm: 'auto' } },
          }}
        >
          <TextField
            control={control}
            name={`access.${at}.source`}
            label={`Source ${at + 1}`}
            placeholder="10.0.0.0/8"
            mono
            disabled={locked}
          />
          <TextField
            control={control}
            name={`access.${at}.description`}
            label={`Description ${at + 1}`}
            disabled={locked}
          />
          <IconButton
            aria-label={`Take away ${wanted[at]?.source || `entry ${at + 1}`}`}
            disabled={locked !== undefined}
            onClick={() => remove(at)}
            sx={{ mt: '23px' }}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </Box>
      ))}
      {error && (
        <Typography color="error" role="alert">
          {error}
        </Typography>
      )}
      <Button
        disabled={locked !== undefined}
        startIcon={<Plus size={14} aria-hidden />}
        onClick={() => append({ source: '', description: '' })}
        sx={{ alignSelf: 'flex-start' }}
      >
        Add an entry
      </Button>
      {warnings.map((warning) => (
        <Notice key={warning} tone="warning" role="alert">
          {warning}
        </Notice>
      ))}
      <Box sx={{ maxWidth: 340 }}>
        <MuiTextField
          label="Your own address"
          value={own}
          onChange={(event) => setOwn(event.target.value)}
          helperText="As the deployment sees it. Kept in this browser, to warn you before you lock yourself out."
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false } }}
        />
      </Box>
    </Box>
  )
}
