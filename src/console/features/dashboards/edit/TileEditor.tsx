import { Drawer } from '#console/ui/mui/Drawer.tsx'
import { focusFirstField } from '#console/ui/mui/focusFirstField.ts'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { X } from 'lucide-react'
import { useEffect, useId, useMemo, useState, type Dispatch, type SetStateAction } from 'react'
import { ProgressPlace } from '#console/charting/progress/progressPlace.ts'
import { useController, useWatch } from 'react-hook-form'
import { z } from 'zod'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import { CodeField } from '#console/ui/code/CodeField.tsx'
import { useDiscardGuard } from '#console/ui/form/useDiscardGuard.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { tileName } from '../model/diff.ts'
import { sameJson } from '#domain/json/json.ts'
import { useColumns } from '../model/useColumns.ts'
import type { TileData } from '../model/dataScope.ts'
import { TileBody } from '../view/TileBody.tsx'
import { checkConfig, configText, readConfig } from './configJson.ts'
import { TileFields } from './TileFields.tsx'
import { readForm, type TileForm, writeForm } from './tileForm.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from '../dashboards.module.css'

/** Derived from the whole schema: loaded when the JSON is first opened. */
const SchemaHelp = lazyComponent(async () => (await import('./SchemaHelp.tsx')).SchemaHelp)

export type EditedTile = Pick<Tile, 'name' | 'description' | 'config'>

interface TileEditorProps {
  tile: EditedTile
  /** Label of the button: "Add tile", "Apply". */
  action: string
  data: TileData
  sources: readonly Source[] | undefined
  onApply: (tile: EditedTile) => void
  onClose: () => void
}

/** A tile's name and configuration with a preview of its data: as fields, or as JSON. */
export function TileEditor({ tile, action, data, sources, onApply, onClose }: TileEditorProps) {
  const titleId = useId()
  const [progressPlace, setProgressPlace] = useState<HTMLElement | null>(null)
  const [edited, setEdited] = useState(tile)
  const [mode, setMode] = useState<'form' | 'json'>(isForForm(tile) ? 'form' : 'json')
  const [problem, setProblem] = useState<string>()
  const preview = useLater(edited, 500)

  // Invalid JSON is not in `edited`, but it would be lost as well.
  const dirty = problem !== undefined || !sameJson(edited, tile)
  const { close, question } = useDiscardGuard(dirty, onClose)
  return (
    <Drawer
      anchor="right"
      open
      onClose={close}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-labelledby': titleId,
          sx: { width: { xs: '100%', sm: 640, lg: 'min(920px, 72vw)' } },
        },
      }}
    >
      <div ref={focusFirstField} className={css.tileEditorContent}>
        <div className={css.tileEditorHeader}>
          <Text id={titleId} variant="h2" className={css.tileEditorTitle}>
            {tileName(edited)}
          </Text>
          <div ref={setProgressPlace} />
          <IconButton aria-label="Close" onClick={close}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
        <section aria-label="Preview" className={css.preview}>
          <ProgressPlace value={progressPlace}>
            <TileBody config={preview.config} label="Preview" data={data} near view="chart" onZoom={ignoreZoom} />
          </ProgressPlace>
        </section>
        <FormPage
          onSubmit={() => onApply(edited)}
          submitLabel={action}
          onCancel={onClose}
          loading={false}
          submitError={null}
          dirty={dirty}
          changes="Applies to the draft. Not saved yet."
          disabled={problem && `Invalid JSON: ${problem}`}
        >
          <Tabs value={mode} onChange={(_, next: 'form' | 'json') => setMode(next)} aria-label="Editor">
            <Tab value="form" label="Form" disabled={!isForForm(edited) || problem !== undefined} />
            <Tab value="json" label="JSON" />
          </Tabs>
          {mode === 'form' ? (
            <FormMode edited={edited} data={data} sources={sources} onChange={setEdited} />
          ) : (
            <JsonMode edited={edited} onChange={setEdited} onProblem={setProblem} />
          )}
        </FormPage>
        <div className={css.tileEditorBottomSpace} />
        {question}
      </div>
    </Drawer>
  )
}

/** A preview has no own time range to zoom. */
const ignoreZoom = () => undefined

/** Raw SQL has a form too; unknown kinds of configuration are edited as JSON. */
function isForForm({ config }: EditedTile): boolean {
  if (config === undefined || config.displayType === '') return false
  return config.configType === undefined || config.configType === 'sql'
}

interface FormModeProps {
  edited: EditedTile
  data: TileData
  sources: readonly Source[] | undefined
  onChange: (tile: EditedTile) => void
}

/** Accepts any fields: problems of a tile are shown before the draft is saved. */
const tileSchema = z.custom<TileForm>()

/** The fields. They start with the edited JSON, if there is any. */
function FormMode({ edited, data, sources, onChange }: FormModeProps) {
  const [start] = useState(edited)
  const form = useSchemaForm(tileSchema, readForm(start), { mode: 'onChange' })
  const { subscribe } = form
  const sourceId = useWatch({ control: form.control, name: 'sourceId' })
  const own = useMemo(() => (sources ?? []).filter(({ id }) => id === sourceId), [sources, sourceId])
  const columns = useColumns(data, own, true)

  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => onChange(writeForm(start, values)),
      }),
    [subscribe, start, onChange],
  )
  return <TileFields form={form} sources={sources} isSql={start.config?.configType === 'sql'} columns={columns} />
}

const jsonSchema = z.object({
  name: z.string(),
  text: z.string().superRefine((text, context) => {
    const read = readConfig(text)
    if ('problem' in read) context.addIssue(read.problem)
  }),
})

interface JsonModeProps {
  edited: EditedTile
  onChange: Dispatch<SetStateAction<EditedTile>>
  /** Why the text is no configuration; undefined if it is one. */
  onProblem: (problem: string | undefined) => void
}

/** The name, and the configuration as JSON. As long as that is not valid, the tile keeps the last one that was. */
function JsonMode({ edited, onChange, onProblem }: JsonModeProps) {
  const [start] = useState(edited)
  const { control, subscribe } = useSchemaForm(jsonSchema, { name: start.name ?? '', text: configText(start.config) })
  const { field } = useController({ control, name: 'text' })

  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values: { name, text } }) => {
          const read = readConfig(text)
          onProblem('problem' in read ? read.problem : undefined)
          onChange((before) => ({
            ...before,
            ...(name !== (before.name ?? '') && { name }),
            ...('config' in read && { config: read.config }),
          }))
        },
      }),
    [subscribe, onChange, onProblem],
  )
  return (
    <>
      <TextField control={control} name="name" label="Name" />
      <CodeField
        label="Configuration as JSON"
        language="json"
        text={field.value}
        onChange={field.onChange}
        check={checkConfig}
        minHeight={320}
      />
      <SchemaHelp config={edited.config} />
    </>
  )
}

/** Delays a value, so that typing does not send a query with every key. */
function useLater<T>(value: T, milliseconds: number): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return later
}
