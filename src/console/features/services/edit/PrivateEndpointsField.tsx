import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Plus, X } from 'lucide-react'
import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { PickField } from '#console/ui/form/PickField.tsx'
import type { ServiceForm } from './serviceForm.ts'

interface PrivateEndpointsFieldProps {
  form: UseFormReturn<ServiceForm>
  /** Ids that the deployment offers. */
  offered: readonly string[]
  locked: string | undefined
}

/** Ids of private endpoints that reach the service. */
export function PrivateEndpointsField({ form, offered, locked }: PrivateEndpointsFieldProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'privateEndpoints' })
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      {fields.length === 0 && <Typography color="textSecondary">None is attached.</Typography>}
      {fields.map((field, at) => (
        <Box
          key={field.id}
          sx={{
            display: 'grid',
            gap: 2,
            alignItems: 'start',
            gridTemplateColumns: 'minmax(0, 1fr) 30px',
            maxWidth: 480,
          }}
        >
          <PickField
            control={form.control}
            name={`privateEndpoints.${at}.value`}
            label={`Endpoint ${at + 1}`}
            options={offered.map((value) => ({ value, label: value, detail: 'offered by the deployment' }))}
            placeholder="vpce-…"
            emptyText="The deployment offers none: type the id"
            disabled={locked}
          />
          <IconButton
            aria-label={`Take away endpoint ${at + 1}`}
            disabled={locked !== undefined}
            onClick={() => remove(at)}
            sx={{ mt: '23px' }}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </Box>
      ))}
      <Button
        disabled={locked !== undefined}
        startIcon={<Plus size={14} aria-hidden />}
        onClick={() => append({ value: '' })}
        sx={{ alignSelf: 'flex-start' }}
      >
        Attach an endpoint
      </Button>
    </Box>
  )
}
