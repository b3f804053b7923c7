import Box from '@mui/material/Box'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField, type Option } from '#console/ui/form/SelectField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { maskAddress } from '#console/ui/maskAddress.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { webhookServices, type Webhook } from '#contract/webhooks.ts'
import { SecretsField } from './SecretsField.tsx'
import { fieldTitles, hidesBody, isMoved, type WebhookForm } from './webhookForm.ts'
import { formatService } from './webhookLabels.ts'

const serviceOptions: Option[] = webhookServices.map((value) => ({ value, label: formatService(value) }))

interface FieldsProps {
  form: UseFormReturn<WebhookForm>
  /** What is edited; null for a new webhook. */
  base: Webhook | null
}

/** Every field of a webhook, shared by create and edit. */
export function WebhookFields({ form: { control }, base }: FieldsProps) {
  const [service, url] = useWatch({ control, name: ['service', 'url'] })
  const moved = base !== null && isMoved({ service, url }, base)
  return (
    <>
      <Panel title="Where it goes">
        <FieldGrid>
          <TextField control={control} name="name" label={fieldTitles.name} required maxLength={1024} />
          <SelectField
            control={control}
            name="service"
            label={fieldTitles.service}
            options={serviceOptions}
            freeText
            required
            help="Decides the form of the notification. Its name and service together must be unique."
          />
          <TextField
            control={control}
            name="url"
            label={fieldTitles.url}
            required={base === null}
            type="url"
            mono
            placeholder={base?.url ? maskAddress(base.url) : 'https://'}
            help={base ? 'Empty: stays as it is. It is masked because it may hold a token.' : addressHelp(service)}
          />
          <TextField control={control} name="description" label={fieldTitles.description} maxLength={2048} />
        </FieldGrid>
        {moved && (
          <Box sx={{ mt: 3 }}>
            <Notice tone="warning" role="status">
              Another address or service clears the headers and query parameters that are stored, unless they are
              entered again here.
            </Notice>
          </Box>
        )}
      </Panel>
      {service === 'slack' ? (
        <Notice tone="info">Slack decides what is sent: it takes no body, headers or query parameters.</Notice>
      ) : (
        <Panel title="What is sent" aside="optional">
          <FieldGrid columns={1}>
            <TextField
              control={control}
              name="body"
              label={fieldTitles.body}
              lines={4}
              mono
              maxLength={16_384}
              help={bodyHelp(base)}
            />
            <SecretsField control={control} name="headers" one="header" mayBeStored={base !== null} moved={moved} />
            <SecretsField
              control={control}
              name="queryParams"
              one="parameter"
              mayBeStored={base !== null}
              moved={moved}
            />
          </FieldGrid>
        </Panel>
      )}
    </>
  )
}

function addressHelp(service: string): string {
  return service === 'slack' ? 'An incoming webhook on slack.com.' : 'http or https. Private addresses are refused.'
}

function bodyHelp(base: Webhook | null): string {
  if (base && hidesBody(base)) {
    return `The API does not answer the body of ${formatService(base.service)}, and a save without one clears it: enter it again.`
  }
  return 'Handlebars work: {{title}}, {{body}}, {{link}}. Empty: the usual text.'
}
