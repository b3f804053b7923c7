import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { Connection } from '#contract/console/connections.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { type ConnectionForm, connectionLabels as labels, keepsSecret } from './connectionForm.ts'

interface SecretFieldsProps {
  form: UseFormReturn<ConnectionForm>
  stored: Connection | undefined
}

/** The key. It can be entered but never read back: an empty field keeps the stored key. */
export function SecretFields({ form, stored }: SecretFieldsProps) {
  const { control } = form
  const [variant, baseUrl] = useWatch({ control, name: ['variant', 'baseUrl'] })
  const keepsKey = keepsSecret({ variant, baseUrl }, stored)
  const keepHelp = stored?.secretEnd ? `ends in ${stored.secretEnd}; leave empty to keep it` : 'leave empty to keep it'
  const secret = {
    control,
    type: 'password',
    mono: true,
    required: !keepsKey,
    placeholder: keepsKey ? keepHelp : '',
  } as const
  const moved =
    stored && !keepsKey ? 'The address changed, so the stored key is not used. Enter the key for the new address. ' : ''
  return (
    <Panel title="Key" aside="Stored encrypted on the console’s server and never shown again">
      {variant === 'openSource' ? (
        <TextField
          {...secret}
          name="accessKey"
          label={labels.accessKey}
          help={`${moved}Find it in the deployment’s UI under Team settings, API keys, Personal API access key. The ingestion key does not work for the API.`}
        />
      ) : (
        <FieldGrid>
          <TextField
            control={control}
            name="keyId"
            label={labels.keyId}
            mono
            required
            help="In the cloud console under API keys. The key needs a role with permission for what you manage here."
          />
          <TextField
            {...secret}
            name="keySecret"
            label={labels.keySecret}
            help={`${moved}Shown once, when the key is created.`}
          />
        </FieldGrid>
      )}
    </Panel>
  )
}
