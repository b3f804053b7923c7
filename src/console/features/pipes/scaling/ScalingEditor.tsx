import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { PendingChangeNotice } from '#console/shell/pendingChanges/PendingChangeNotice.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ReviewDialog } from '#console/shell/record/ReviewDialog.tsx'
import { withoutChange } from '#console/ui/ChangeTable.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { PipeSize } from '#contract/pipePrices.ts'
import { counted } from '#domain/text/words.ts'
import { SizeAssessmentNotice } from '../metrics/SizeAssessmentNotice.tsx'
import type { LiveMetrics } from '../metrics/useLiveMetrics.ts'
import { formatCost } from './cost.ts'
import { applyDraft, changedValues, type Draft } from './draft.ts'
import type { ScalingParameter, Values } from '../model/scalingParameters.ts'
import { useUnitRate } from './unitRate.ts'
import { ScalingParameterField } from './ScalingParameterField.tsx'
import { SuggestionButton } from './SuggestionButton.tsx'
import type { Suggest } from './suggestion.ts'
import { TotalsTable } from './TotalsTable.tsx'
import { useScaling, type ScalingTarget } from './useScaling.ts'
import { Text } from '#console/ui/base/Text.tsx'
import css from './ScalingEditor.module.css'

interface ScalingEditorProps {
  target: ScalingTarget
  title: string
  state: ReactNode
  lead: string
  inapplicable: readonly { parameter: ScalingParameter; reason: string }[]
  /** Shown instead of sliders if no parameter applies. */
  instead?: ReactNode
  /** "S", or null if the size is not listed. */
  sizeName: (values: Values) => string | null
  /** The size of all replicas. Null if a value is unknown. Undefined if the target has no size. */
  sizeOf?: ((values: Values) => PipeSize | null) | undefined
  /** Shown below the parameters. */
  note?: string | undefined
  command: (values: Record<string, number>) => string | null
  /** The fields that change along with another. */
  couple?: (field: string, value: number) => Record<string, number>
  action: string
  back: string
  /** The deployment cannot be read. */
  unreachable: boolean
  /** Live metrics of the pipes that use the size. */
  live: LiveMetrics
  /** Suggests values. Undefined if the target has no size. */
  suggest?: Suggest | undefined
  aside: ReactNode
}

/** The scaling form: sliders, totals, size assessment, and the progress of a pending change. */
export function ScalingEditor(props: ScalingEditorProps) {
  const { target, title, state, lead, inapplicable, instead, sizeName, sizeOf, command, couple, action, back } = props
  const { parameters } = target
  const connection = useConnection()
  const navigate = useNavigate()
  const scaling = useScaling(target)
  const [reviewed, setReviewed] = useState(false)
  const [free, setFree] = useState(false)
  const { form, draft, values, effective, expected, changes, pendingChange, progress } = scaling
  const locked = lockReason(connection)
  const then = applyDraft(draft, expected)
  const [was, willBe] = [sizeName(effective), sizeName(then)]
  const { utilization, assessment } = props.live
  const suggestion = assessment && (props.suggest?.(assessment.recommendation, utilization, effective) ?? null)
  const rate = useUnitRate(connection.id)
  const cost = sizeOf ? formatCost([sizeOf(effective)], [sizeOf(then)], rate) : null
  const open = suggestion && Object.keys(changedValues(suggestion, then)).length > 0

  const send = () => {
    setReviewed(false)
    void scaling.submit()
  }
  const move = (field: string, value: number) => {
    for (const [coupledField, coupledValue] of Object.entries(couple?.(field, value) ?? {})) {
      form.setValue(coupledField, coupledValue, { shouldValidate: true, shouldDirty: true })
    }
  }
  return (
    <Page
      title={title}
      state={state}
      lead={lead}
      actions={
        <CopyButton
          label="Copy as cURL"
          text={() => command(Object.keys(values).length ? values : known(expected, parameters)) ?? ''}
        />
      }
    >
      <FormPage
        wide
        onSubmit={send}
        submitLabel={action}
        onCancel={() => (changes.length > 0 ? scaling.discard() : void navigate({ to: back }))}
        loading={scaling.pending}
        submitError={scaling.error}
        dirty={changes.length > 0}
        changes={
          changes.length === 0
            ? 'No changes'
            : [
                counted(changes.length, 'change'),
                '1 API request',
                ...(cost ? [cost] : []),
                'takes effect within minutes',
              ].join(' · ')
        }
        disabled={locked ?? withoutChange(changes)}
        onReview={() => void form.handleSubmit(() => setReviewed(true))()}
      >
        {pendingChange && progress && (
          <PendingChangeNotice
            change={pendingChange}
            progress={progress}
            unreachable={props.unreachable}
            onRevert={locked === undefined && scaling.revert ? () => void scaling.revert?.() : undefined}
            reverting={scaling.pending}
            onClose={scaling.forget}
          />
        )}
        <div className={css.panels}>
          <Panel
            title="Size"
            flush
            aside={
              <div className={css.aside}>
                {was && willBe && was !== willBe && (
                  <StatusChip tone="accent">
                    {was} → {willBe}
                  </StatusChip>
                )}
                {parameters.some(({ range }) => range.doubling) && (
                  <FormControlLabel
                    label="Fine steps"
                    sx={{ m: 0, gap: 1 }}
                    control={<Switch checked={free} onChange={(_, on) => setFree(on)} />}
                  />
                )}
              </div>
            }
          >
            <div className={css.parameters}>
              {instead}
              {parameters.map((parameter) => (
                <ScalingParameterField<Draft>
                  key={parameter.field}
                  control={form.control}
                  name={parameter.field}
                  parameter={parameter}
                  current={expected[parameter.field] ?? null}
                  inForce={effective[parameter.field] ?? null}
                  free={free}
                  disabled={locked}
                  onMove={(value) => move(parameter.field, value)}
                />
              ))}
              {inapplicable.map(({ parameter, reason }) => (
                <InapplicableParameter key={parameter.field} parameter={parameter} reason={reason} />
              ))}
            </div>
            {sizeOf && <TotalsTable connectionId={connection.id} now={sizeOf(effective)} after={sizeOf(then)} />}
            {props.note && (
              <Text color="textSecondary" className={css.note}>
                {props.note}
              </Text>
            )}
          </Panel>
          <div className={css.beside}>
            {/* Not above the sliders: it appears with the first sample and would move them under the pointer. */}
            <SizeAssessmentNotice
              live={props.live}
              action={
                open &&
                !locked &&
                progress?.state !== 'waiting' && (
                  <SuggestionButton
                    connectionId={connection.id}
                    parameters={parameters}
                    suggestion={suggestion}
                    name={sizeName({ ...effective, ...suggestion })}
                    now={sizeOf?.(effective) ?? null}
                    then={sizeOf?.({ ...effective, ...suggestion }) ?? null}
                    onApply={() => {
                      for (const [field, value] of Object.entries(suggestion)) {
                        form.setValue(field, value, { shouldValidate: true, shouldDirty: true })
                      }
                    }}
                  />
                )
              }
            />
            {props.aside}
          </div>
        </div>
      </FormPage>
      {reviewed && (
        <ReviewDialog
          title={title}
          changes={changes}
          requests={['write']}
          command={command(values)}
          action={action}
          disabled={locked}
          onSend={send}
          onClose={() => setReviewed(false)}
        >
          {cost && <Text>Cost: {cost}.</Text>}
          <Text color="textSecondary">
            Other values stay unchanged. The change takes effect within minutes; the page shows when it has.
          </Text>
        </ReviewDialog>
      )}
    </Page>
  )
}

/** A parameter that does not apply to this pipe, and why. */
function InapplicableParameter({ parameter, reason }: { parameter: ScalingParameter; reason: string }) {
  return (
    <div className={css.inapplicableParameter}>
      <Text className={css.parameterTitle}>{parameter.title}</Text>
      <Text>{reason}.</Text>
    </div>
  )
}

/** The known current values, for a cURL command without changes. */
function known(current: Values, parameters: readonly ScalingParameter[]): Record<string, number> {
  return Object.fromEntries(
    parameters.flatMap(({ field }) => {
      const value = current[field]
      return value == null ? [] : [[field, value]]
    }),
  )
}
