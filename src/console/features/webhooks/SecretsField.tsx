import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import { Plus, Trash2 } from 'lucide-react'
import { useController, type Control } from 'react-hook-form'
import { TextField } from '#console/ui/form/TextField.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { capitalized } from '#console/ui/format.ts'
import { maxPairs } from '#contract/webhooks.ts'
import { fieldTitles, type Secrets, type WebhookForm } from './webhookForm.ts'

interface SecretsFieldProps {
  control: Control<WebhookForm>
  name: 'headers' | 'queryParams'
  /** One of them: "header". */
  one: string
  /** There may be stored values that the API does not return. */
  mayBeStored: boolean
  /** A changed URL or service clears the stored values. */
  moved: boolean
}

/** Names and values that the API never returns: kept, or replaced as a whole. */
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
              Replace {fieldTitles[name].toLowerCase()}
            </Button>
          </Box>
        </>
      ) : (
        <>
          {mayBeStored && (
            <FormHelperText sx={{ m: 0 }}>
              {pairs.length === 0 ? 'None. Saving clears the stored ones.' : 'These replace all stored ones.'}
            </FormHelperText>
          )}
          {pairs.map((_, at) => (
            <Box key={at} sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
              <TextField
                control={control}
                name={`${name}.pairs.${at}.name`}
                label={`${capitalized(one)} ${at + 1} name`}
                mono
              />
              <TextField
                control={control}
                name={`${name}.pairs.${at}.value`}
                label={`${capitalized(one)} ${at + 1} value`}
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
            {mayBeStored && <Button onClick={() => change({ kept: true, pairs: [] })}>Keep stored values</Button>}
          </Box>
        </>
      )}
    </Box>
  )
}

const keptText = 'Stored values are kept. The API does not return them, so they cannot be shown.'
const clearedText =
  'Saving clears the stored values because the URL or the service changes. Enter them again to keep them.'
