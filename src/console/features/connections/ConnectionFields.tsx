import Box from '@mui/material/Box'
import { useEffect } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { Connection } from '#contract/connections.ts'
import { variants } from '#contract/kernel.ts'
import { namingProfileNames } from '#contract/naming.ts'
import { initialStage, liftMinutes, stages } from '#contract/stages.ts'
import { stageLabels } from '#console/shell/stage/stageLabels.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { SwitchField } from '#console/ui/form/SwitchField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { type ConnectionForm, connectionLabels as labels, suggestedNaming } from './connectionForm.ts'
import { SecretFields } from './SecretFields.tsx'
import { namingLabels, variantLabels } from './variantLabels.ts'

interface ConnectionFieldsProps {
  form: UseFormReturn<ConnectionForm>
  stored: Connection | undefined
}

/** All fields, in the order in which a person thinks of them: which deployment, with which key, how to treat it. */
export function ConnectionFields({ form, stored }: ConnectionFieldsProps) {
  const { control } = form
  const [variant, stage, baseUrl, naming] = useWatch({ control, name: ['variant', 'stage', 'baseUrl', 'naming'] })
  const suggested = suggestedNaming(baseUrl)
  const managed = variant === 'managed'
  const { touchedFields, dirtyFields } = form.formState
  const stageChosen = stored !== undefined || Boolean(touchedFields.stage ?? dirtyFields.stage)
  const addressStage = initialStage(baseUrl.trim())

  useEffect(() => {
    // Follows the address until somebody chooses.
    if (!stageChosen) form.setValue('stage', addressStage)
  }, [stageChosen, addressStage, form])

  return (
    <>
      <Panel title="Deployment">
        <FieldGrid>
          <TextField
            control={control}
            name="name"
            label={labels.name}
            required
            maxLength={60}
            placeholder="Production EU"
            help="As you call it; shown on every page."
          />
          <SelectField
            control={control}
            name="variant"
            label={labels.variant}
            options={variants.map((value) => ({ value, label: variantLabels[value], detail: variantHelp[value] }))}
            help={managed ? 'Reached through the cloud control plane.' : 'An API server of your own.'}
          />
          <TextField
            control={control}
            name="baseUrl"
            label={labels.baseUrl}
            type="url"
            mono
            required
            placeholder={managed ? 'https://api.example.cloud' : 'https://observability.example.com:8000'}
            help={
              managed
                ? 'The address of the control plane’s API, without /v1.'
                : 'Scheme, host and port of the API server, without /api/v2. The port is usually 8000.'
            }
          />
          <SelectField
            control={control}
            name="naming"
            label={labels.naming}
            options={namingProfileNames.map((value) => ({ value, label: namingLabels[value] }))}
            help={suggested && suggested !== naming ? `This address suggests: ${namingLabels[suggested]}.` : namingHelp}
          />
          {managed && (
            <TextField
              control={control}
              name="organizationId"
              label={labels.organizationId}
              mono
              required
              help="In the cloud console under Organization, Details."
            />
          )}
          {managed && (
            <TextField
              control={control}
              name="serviceId"
              label={labels.serviceId}
              mono
              required
              help="The service whose stack this is: the id in the address of its page in the cloud console."
            />
          )}
        </FieldGrid>
      </Panel>
      <SecretFields form={form} stored={stored} />
      <Panel title="Guard">
        <FieldGrid>
          <SelectField
            control={control}
            name="stage"
            label={labels.stage}
            options={stages.map((value) => ({ value, label: stageLabels[value], detail: stageHelp[value] }))}
            help={`The word and colour on every page of this connection.${formerWord(stored)}`}
          />
          {stage === 'production' ? (
            <Box sx={{ alignSelf: 'center', color: 'text.secondary' }}>
              Production is read-only: this console’s server refuses every write. It can be lifted for {liftMinutes}{' '}
              minutes at a time, in the menu of the connection at the top.
            </Box>
          ) : (
            <SwitchField
              control={control}
              name="readOnly"
              label={labels.readOnly}
              help="This console’s server refuses every operation that would change something."
            />
          )}
          <SwitchField
            control={control}
            name="allowPrivate"
            label="Allow private addresses"
            help="For a deployment on this machine or in a private network. Otherwise loopback, private and link-local addresses are refused, so that a wrong address cannot reach into your network."
          />
        </FieldGrid>
      </Panel>
    </>
  )
}

/** The word that a person gave the connection before there were stages. */
function formerWord(stored: Connection | undefined): string {
  return stored?.environment ? ` It was labelled “${stored.environment}” before.` : ''
}

const stageHelp = {
  production: 'Read-only but for minutes; deletes ask for its name',
  staging: '',
  development: '',
  local: 'On this machine',
}

const variantHelp = {
  openSource: 'Dashboards, alerts, sources, webhooks, charts',
  managed: 'Dashboards, alerts, sources, services, data pipes',
}

const namingHelp =
  'How the deployment spells its path segments. Choose Neutral for the built-in stack; the test says when it is wrong.'
