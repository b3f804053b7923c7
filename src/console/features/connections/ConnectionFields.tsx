import { useEffect } from 'react'
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form'
import type { Connection } from '#contract/console/connections.ts'
import { variants } from '#contract/wire/kernel.ts'
import { namingProfileNames } from '#contract/wire/naming.ts'
import { initialStage, writesAllowedMinutes, stages } from '#contract/console/stages.ts'
import { stageLabels } from '#console/shell/stage/stageLabels.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { type ConnectionForm, connectionLabels as labels, suggestedNaming } from './connectionForm.ts'
import { SecretFields } from './SecretFields.tsx'
import { namingLabels, variantLabels } from './variantLabels.ts'
import * as css from './connections.module.css'

interface ConnectionFieldsProps {
  form: UseFormReturn<ConnectionForm>
  stored: Connection | undefined
  /** Whether the user is an administrator of this console, who alone decides about private addresses. */
  administers: boolean
}

/** All fields, in the order in which a person thinks of them: which deployment, with which key, how to treat it. */
export function ConnectionFields({ form, stored, administers }: ConnectionFieldsProps) {
  return (
    <>
      <DeploymentFields form={form} administers={administers} />
      <SecretFields form={form} stored={stored} />
      <ProtectionFields form={form} stored={stored} administers={administers} />
    </>
  )
}

function DeploymentFields({ form, administers }: Omit<ConnectionFieldsProps, 'stored'>) {
  const { control } = form
  const [variant, baseUrl, naming, allowPrivate] = useWatch({
    control,
    name: ['variant', 'baseUrl', 'naming', 'allowPrivate'],
  })
  const managed = variant === 'managed'
  const suggested = suggestedNaming(baseUrl)
  const fixed = !administers && allowPrivate ? { disabled: fixedReason } : {}
  return (
    <Panel title="Deployment">
      <FieldGrid>
        <TextField
          control={control}
          name="name"
          label={labels.name}
          required
          maxLength={60}
          placeholder="Production EU"
          help="Shown on every page."
        />
        <SelectField
          control={control}
          name="variant"
          label={labels.variant}
          {...fixed}
          options={variants.map((value) => ({ value, label: variantLabels[value], detail: variantHelp[value] }))}
          help={managed ? 'Reached through the cloud control plane.' : 'A self-hosted API server.'}
        />
        <TextField
          control={control}
          name="baseUrl"
          label={labels.baseUrl}
          {...fixed}
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
          {...fixed}
          options={namingProfileNames.map((value) => ({ value, label: namingLabels[value] }))}
          help={
            suggested && suggested !== naming ? `Suggested for this address: ${namingLabels[suggested]}.` : namingHelp
          }
        />
        {managed && <ManagedFields control={control} fixed={fixed} />}
      </FieldGrid>
    </Panel>
  )
}

interface ManagedFieldsProps {
  control: Control<ConnectionForm>
  /** Why the fields cannot be changed, if so. */
  fixed: { disabled?: string }
}

function ManagedFields({ control, fixed }: ManagedFieldsProps) {
  return (
    <>
      <TextField
        control={control}
        name="organizationId"
        label={labels.organizationId}
        {...fixed}
        mono
        required
        help="In the cloud console under Organization, Details."
      />
      <TextField
        control={control}
        name="serviceId"
        label={labels.serviceId}
        {...fixed}
        mono
        required
        help="The service that this stack belongs to. Its ID is in the URL of its page in the cloud console."
      />
    </>
  )
}

function ProtectionFields({ form, stored, administers }: ConnectionFieldsProps) {
  const { control } = form
  const stage = useWatch({ control, name: 'stage' })
  const mayAllowPrivate = administers || stored?.allowPrivate === true
  useStageOfAddress(form, stored)
  return (
    <Panel title="Protection">
      <FieldGrid>
        <SelectField
          control={control}
          name="stage"
          label={labels.stage}
          options={stages.map((value) => ({ value, label: stageLabels[value], detail: stageHelp[value] }))}
          help={`The label and color on every page of this connection.${formerWord(stored)}`}
        />
        {stage === 'production' ? (
          <ProductionFields control={control} />
        ) : (
          <SwitchField
            control={control}
            name="readOnly"
            label={labels.readOnly}
            help="The console’s server rejects every change."
          />
        )}
        <SwitchField
          control={control}
          name="allowPrivate"
          label="Allow private addresses"
          {...(!mayAllowPrivate && { disabled: 'Only administrators of this console can allow private addresses.' })}
          help="Required for a deployment on this machine or in a private network. Otherwise loopback, private and link-local addresses are rejected to protect your network."
        />
      </FieldGrid>
    </Panel>
  )
}

function ProductionFields({ control }: { control: Control<ConnectionForm> }) {
  return (
    <>
      <div className={css.readOnlyNote}>
        Production connections are read-only. You can allow writes for {writesAllowedMinutes} minutes at a time from the
        connection menu.
      </div>
      <SwitchField
        control={control}
        name="sqlForReaders"
        label={labels.sqlForReaders}
        help="Viewers and editors may run SELECT statements too. Otherwise SQL on production needs the role operator."
      />
      <SwitchField
        control={control}
        name="sharedLinks"
        label={labels.sharedLinks}
        help="Operators may show dashboards to people without an account, by links that expire. Otherwise such links show nothing on production."
      />
    </>
  )
}

/** Derives the stage of a new connection from its address until somebody selects a stage. */
function useStageOfAddress(form: UseFormReturn<ConnectionForm>, stored: Connection | undefined): void {
  const baseUrl = useWatch({ control: form.control, name: 'baseUrl' })
  const { touchedFields, dirtyFields } = form.formState
  const isChosen = stored !== undefined || Boolean(touchedFields.stage ?? dirtyFields.stage)
  const addressStage = initialStage(baseUrl.trim())
  useEffect(() => {
    if (!isChosen) form.setValue('stage', addressStage)
  }, [isChosen, addressStage, form])
}

/** The word that a person gave the connection before there were stages. */
function formerWord(stored: Connection | undefined): string {
  return stored?.environment ? ` Previously labeled “${stored.environment}”.` : ''
}

const fixedReason =
  'This connection may reach private addresses, so only administrators of this console can change where it leads.'

const stageHelp = {
  production: 'Read-only by default; deletes require typing its name',
  staging: '',
  development: '',
  local: 'On this machine',
}

const variantHelp = {
  openSource: 'Dashboards, alerts, sources, webhooks, charts',
  managed: 'Dashboards, alerts, sources, services, data pipes',
}

const namingHelp =
  'How the deployment names its API paths. Choose Neutral for the built-in stack. The connection test detects a wrong choice.'
