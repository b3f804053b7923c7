import TextField from '@mui/material/TextField'
import { useState, type ComponentProps } from 'react'
import { storedNow } from '#console/api/guardedWrite.ts'
import { formatError } from '#console/api/errors.ts'
import { silenceOf } from '#console/shell/alerts/alertStates.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { counted } from '#domain/text/words.ts'
import { PanelPopover } from '#console/ui/layout/PanelPopover.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { alerts, type Alert } from '#contract/alerts.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LengthChoice, MaintenanceFields, UntilField } from './SilenceFields.tsx'
import { emptySilence, formatMeanwhile, silenceBody, silenceLengths, type SilenceForm } from './silences.ts'
import { useSilences } from './useAlertOperations.ts'
import css from './SilencePopover.module.css'

interface SilencePopoverProps {
  alert: Alert
  /** The groups of the last evaluation, by key. Empty if they are not known, or the alert has none. */
  groups: readonly string[]
  anchor: HTMLElement | null
  onClose: () => void
}

/** Silences an alert or one group of it: for some time, until a date, or every week. */
export function SilencePopover({ anchor, onClose, ...rest }: SilencePopoverProps) {
  return (
    <PanelPopover label="Silence" anchor={anchor} onClose={onClose} className={css.silencePopover}>
      <SilenceFormFields {...rest} onClose={onClose} />
    </PanelPopover>
  )
}

function SilenceFormFields({ alert, groups, onClose }: Omit<SilencePopoverProps, 'anchor'>) {
  const [form, setForm] = useState<SilenceForm>(emptySilence)
  const [problem, setProblem] = useState<string | null>(null)
  // A silence that somebody else sets while the form is open is shown before it is replaced.
  const [base, setBase] = useState(alert)
  const { silence, blocked } = useSilences(alert)
  const [meanwhile, setMeanwhile] = useState<string | null>(null)
  const showConflict = (now: Alert | null) => {
    if (!now) return
    setBase(now)
    setMeanwhile(formatMeanwhile(silenceOf(now, form.group || undefined, Date.now()), submitLabel(form)))
  }
  const change = (values: Partial<SilenceForm>) => {
    setProblem(null)
    setMeanwhile(null)
    setForm((now) => ({ ...now, ...values }))
  }
  const submit: ComponentProps<'form'>['onSubmit'] = (event) => {
    event.preventDefault()
    const result = silenceBody(form, Date.now())
    if ('problem' in result) return setProblem(result.problem)
    silence.mutate(
      { alert: base, body: result.body },
      {
        onError: (error) => showConflict(storedNow(error, alerts.get.result)),
        onSuccess: () => {
          toast({ tone: 'ok', text: form.group ? `${form.group} is silenced.` : 'The alert is silenced.' })
          onClose()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Text color="textSecondary" className={css.lead}>
        Evaluation continues. Messages are not sent.
      </Text>
      <LengthChoice length={form.length} onChange={(length) => change({ length })} />
      <Column gap={12} className={css.fields}>
        {form.length === 'weekly' && <MaintenanceFields form={form} onChange={change} />}
        {(form.length === 'weekly' || form.length === 'date') && (
          <UntilField
            label={form.length === 'weekly' ? 'Repeat until' : 'Until'}
            iso={form.until}
            onChange={(until) => change({ until })}
          />
        )}
        {groups.length > 0 && (
          <SelectInput
            label="For"
            value={form.group || wholeAlert}
            options={[
              { value: wholeAlert, label: `Whole alert, ${counted(groups.length, 'group')}` },
              ...groups.map((value) => ({ value, label: value })),
            ]}
            onChange={(group) => change({ group: group === wholeAlert ? '' : group })}
          />
        )}
        <TextField
          label="Reason"
          value={form.reason}
          onChange={(event) => change({ reason: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 512, autoComplete: 'off' } }}
        />
        {problem && (
          <Notice tone="error" role="alert">
            {problem}
          </Notice>
        )}
        {meanwhile && (
          <Notice tone="warning" role="alert">
            {meanwhile}
          </Notice>
        )}
        {silence.error && !meanwhile && <SubmitError error={formatError(silence.error, location.pathname)} />}
        {blocked && <Notice tone="info">{blocked}</Notice>}
        <Button
          type="submit"
          variant="contained"
          color="primary"
          loading={silence.isPending}
          disabled={blocked !== undefined}
        >
          {submitLabel(form)}
        </Button>
      </Column>
    </form>
  )
}

/** An option needs a value. The keys of groups have a colon. */
const wholeAlert = '*'

function submitLabel({ length }: SilenceForm): string {
  const known = silenceLengths.find(({ value }) => value === length)
  if (known) return `Silence for ${known.label}`
  return length === 'weekly' ? 'Add maintenance window' : 'Silence until this date'
}
