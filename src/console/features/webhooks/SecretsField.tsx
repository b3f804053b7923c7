import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import { Plus, Trash2 } from 'lucide-react'
import { useController, type Control } from 'react-hook-form'
import { TextField } from '#console/ui/form/TextField.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { maxPairs } from '#contract/webhooks.ts'
import { fieldTitles, type Secrets, type WebhookForm } from './webhookForm.ts'

interface SecretsFieldProps {
  control: Control<WebhookForm>
  name: 'headers' | 'queryParams'
  /** One of them: "header". */
  one: string
  /** There may be some that nobody can read. */
  mayBeStored: boolean
  /** What is stored goes with the change of address or service. */
  moved: boolean
}

/** Names and values that are written and never read back: kept unless entered again, and then entered as a whole. */
export function SecretsField({ control, name, one, mayBeStored, moved }: SecretsFieldProps) {
  const { field, fieldState } = useController({ control, name })
  const { kept, pairs } = field.value
  const change = (next: Partial<Secrets>) => field.onChange({ ...field.value, ...next })
  const full = pairs.length >= maxPairs ? `At most ${maxPairs}.` : undefined
  const error = fieldState.error?.message ?? fieldState.error?.root?.message
  return (
    <Box
      component="fieldset"
      sx={{ border: 0, m: 0, p: 0, minWidth: 0, display: 'flex', flexDirection: 'column', gap: 2 }}
    >
      <Box component="legend" sx={{ p: 0, mb: 1, fontWeight: 550 }}>
        {fieldTitles[name]}
      </Box>
      {kept ? (
        <>
          <FormHelperText sx={{ m: 0 }}>{moved ? clearedText : keptText}</FormHelperText>
          <Box>
            <Button onClick={() => change({ kept: false, pairs: [{ name: '', value: '' }] })}>
              Enter {fieldTitles[name].toLowerCase()} again
            </Button>
          </Box>
        </>
      ) : (
        <>
          {mayBeStored && (
            <FormHelperText sx={{ m: 0 }}>
              {pairs.length === 0
                ? 'None: what is stored is cleared by the save.'
                : 'These take the place of all that is stored.'}
            </FormHelperText>
          )}
          {pairs.map((_, at) => (
            <Box key={at} sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
              <TextField control={control} name={`${name}.pairs.${at}.name`} label={`Name of ${one} ${at + 1}`} mono />
              <TextField
                control={control}
                name={`${name}.pairs.${at}.value`}
                label={`Value of ${one} ${at + 1}`}
                type="password"
              />
              <IconButton
                aria-label={`Remove ${one} ${at + 1}`}
                onClick={() => change({ pairs: pairs.filter((_, other) => other !== at) })}
                sx={{ mt: '23px' }}
              >
                <Trash2 size={15} aria-hidden />
              </IconButton>
            </Box>
          ))}
          {error && <FormHelperText error>{error}</FormHelperText>}
          <Box sx={{ display: 'flex', gap: 2 }}>
            <DisabledReason reason={full}>
              <Button
                startIcon={<Plus size={14} aria-hidden />}
                disabled={full !== undefined}
                onClick={() => change({ pairs: [...pairs, { name: '', value: '' }] })}
              >
                Add {one}
              </Button>
            </DisabledReason>
            {mayBeStored && <Button onClick={() => change({ kept: true, pairs: [] })}>Keep what is stored</Button>}
          </Box>
        </>
      )}
    </Box>
  )
}

const keptText = 'Kept unless entered again. The API never answers them, so they cannot be shown here.'
const clearedText =
  'Cleared by this save, because the address or the service changes. Enter them again to have them at the new one.'
