import { Plus } from 'lucide-react'
import { useController, type Control } from 'react-hook-form'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { capitalized } from '#domain/text/words.ts'
import { maxPairs } from '#contract/stack/webhooks.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { FieldHelp } from '#console/ui/base/Field.tsx'
import { FieldGroup, FieldGroupRow } from '#console/ui/form/FieldGroup.tsx'
import { fieldTitles, type Secrets, type WebhookForm } from './webhookForm.ts'
import * as css from '../webhooks.module.css'

interface SecretsFieldProps {
  control: Control<WebhookForm>
  name: 'headers' | 'queryParams'
  /** The name of one secret: "header". */
  itemName: string
  /** There may be stored values that the API does not return. */
  mayBeStored: boolean
  /** A changed URL or service clears the stored values. */
  moved: boolean
}

/** Names and values that the API never returns: kept, or replaced as a whole. */
export function SecretsField({ control, name, itemName, mayBeStored, moved }: SecretsFieldProps) {
  const { field, fieldState } = useController({ control, name })
  const { kept, pairs } = field.value
  const change = (next: Partial<Secrets>) => field.onChange({ ...field.value, ...next })
  const full = pairs.length >= maxPairs ? `At most ${maxPairs}.` : undefined
  const error = fieldState.error?.message ?? fieldState.error?.root?.message
  return (
    <FieldGroup label={fieldTitles[name]}>
      {kept ? (
        <>
          <FieldHelp className={css.stored}>{moved ? clearedText : keptText}</FieldHelp>
          <div>
            <Button onClick={() => change({ kept: false, pairs: [{ name: '', value: '' }] })}>
              Replace {fieldTitles[name].toLowerCase()}
            </Button>
          </div>
        </>
      ) : (
        <>
          {mayBeStored && (
            <FieldHelp className={css.stored}>
              {pairs.length === 0 ? 'None. Saving clears the stored ones.' : 'These replace all stored ones.'}
            </FieldHelp>
          )}
          {pairs.map((_, at) => (
            <FieldGroupRow
              key={at}
              removeLabel={`Remove ${itemName} ${at + 1}`}
              onRemove={() => change({ pairs: pairs.filter((_, other) => other !== at) })}
            >
              <TextField
                control={control}
                name={`${name}.pairs.${at}.name`}
                label={`${capitalized(itemName)} ${at + 1} name`}
                mono
              />
              <TextField
                control={control}
                name={`${name}.pairs.${at}.value`}
                label={`${capitalized(itemName)} ${at + 1} value`}
                type="password"
              />
            </FieldGroupRow>
          ))}
          {error && <FieldHelp error>{error}</FieldHelp>}
          <div className={css.secretsActions}>
            <DisabledReason reason={full}>
              <Button
                startIcon={<Plus size={14} aria-hidden />}
                disabled={full !== undefined}
                onClick={() => change({ pairs: [...pairs, { name: '', value: '' }] })}
              >
                Add {itemName}
              </Button>
            </DisabledReason>
            {mayBeStored && <Button onClick={() => change({ kept: true, pairs: [] })}>Keep stored values</Button>}
          </div>
        </>
      )}
    </FieldGroup>
  )
}

const keptText = 'Stored values are kept. The API does not return them, so they cannot be shown.'
const clearedText =
  'Saving clears the stored values because the URL or the service changes. Enter them again to keep them.'
