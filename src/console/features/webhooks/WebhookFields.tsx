import { useWatch, type UseFormReturn } from 'react-hook-form'
import { useFeatureOffer } from '#console/api/features/useFeatureOffer.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField, type Option } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { maskAddress } from '#console/ui/maskAddress.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { webhooks, webhookServices, type Webhook } from '#contract/webhooks.ts'
import { BodyPreview } from './BodyPreview.tsx'
import { bodyHelp, missingVariables } from './bodyVariables.ts'
import { SecretsField } from './SecretsField.tsx'
import { TemplateSelect } from './TemplateSelect.tsx'
import { TestPanel } from './TestPanel.tsx'
import { fieldTitles, hidesBody, isMoved, trialBody, type WebhookForm } from './webhookForm.ts'
import { formatService } from './webhookLabels.ts'
import css from './WebhookFields.module.css'

const serviceOptions: Option[] = webhookServices.map((value) => ({ value, label: formatService(value) }))

interface FieldsProps {
  form: UseFormReturn<WebhookForm>
  /** What is edited; null for a new webhook. */
  base: Webhook | null
}

/** The fields of a webhook, shared by create and edit. */
export function WebhookFields({ form: { control, getValues, setValue }, base }: FieldsProps) {
  const [service, url, body] = useWatch({ control, name: ['service', 'url', 'body'] })
  // Deployments that send tests have all of them.
  const hasAllVariables = useFeatureOffer(useConnection(), webhooks.test)
  const missing = hasAllVariables ? null : missingVariables(body)
  const moved = base !== null && isMoved({ service, url }, base)
  return (
    <>
      <Panel title="Webhook">
        <FieldGrid>
          <TextField control={control} name="name" label={fieldTitles.name} required maxLength={1024} />
          <SelectField
            control={control}
            name="service"
            label={fieldTitles.service}
            options={serviceOptions}
            freeText
            required
            help="Sets the format of the notification. The name must be unique for each service."
          />
          <TextField
            control={control}
            name="url"
            label={fieldTitles.url}
            required={base === null}
            type="url"
            mono
            placeholder={base?.url ? maskAddress(base.url) : 'https://'}
            help={
              base
                ? 'Leave empty to keep the current URL. It is masked because it may contain a token.'
                : urlHelp(service)
            }
          />
          <TextField control={control} name="description" label={fieldTitles.description} maxLength={2048} />
        </FieldGrid>
        {moved && (
          <div className={css.moved}>
            <Notice tone="warning" role="status">
              Changing the URL or the service clears the stored headers and query parameters unless you enter them
              again.
            </Notice>
          </div>
        )}
      </Panel>
      {service === 'slack' ? (
        <Notice tone="info">
          Slack sets the request itself: body, headers and query parameters are not supported.
        </Notice>
      ) : (
        <Panel title="Request" aside="optional">
          <FieldGrid columns={1}>
            {service === 'generic' && (
              <TemplateSelect
                onSelect={(text) => setValue('body', text, { shouldDirty: true, shouldValidate: true })}
              />
            )}
            <TextField
              control={control}
              name="body"
              label={fieldTitles.body}
              lines={4}
              mono
              maxLength={16_384}
              help={helpOf(base, hasAllVariables)}
            />
            {missing && <Notice tone="warning">{missing}</Notice>}
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
      <BodyPreview service={service} body={body} />
      <TestPanel
        trial={() => trialBody(getValues(), base)}
        lead="Sends a notification with sample values to this webhook. Nothing is saved."
        disabled={url.trim() === '' && base === null ? 'Enter a URL first' : undefined}
      />
    </>
  )
}

function urlHelp(service: string): string {
  return service === 'slack'
    ? 'URL of an incoming webhook on slack.com.'
    : 'HTTP or HTTPS. Private addresses are refused.'
}

function helpOf(base: Webhook | null, hasAllVariables: boolean): string {
  if (base && hidesBody(base)) {
    return `The API does not return the body for ${formatService(base.service)}. Saving without one clears it: enter it again.`
  }
  return bodyHelp(hasAllVariables)
}
