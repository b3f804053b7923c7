import { dashboard } from '../src/contract/stack/dashboards/dashboards.ts'
import { alertOn, edit, expectSaved, fromMenu, read, rename, review, stack, twoTiles } from './support/dashboards.ts'
import { hold } from './support/requests.ts'
import { clearFaults, expect, openSource, setFaults, test, unique } from './support/test.ts'

test('the review names the alert that a save deletes', async ({ page, api }) => {
  const before = await twoTiles()
  const { id } = before
  const name = unique('On the left')
  await alertOn(before, name, (await api.webhooks())[0]?.id)
  await edit(page, openSource, id)
  await fromMenu(page, 'Left', 'Remove')
  const dialog = await review(page)
  await expect(dialog.getByRole('link', { name })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save and delete 1 alert' }).click()
  await expectSaved(page)
  expect((await api.alerts()).some((alert) => alert.name === name)).toBe(false)
})

test('a local dashboard is saved without a review, and Undo takes it back', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Renamed at once')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  expect((await read(id)).tiles[0]?.name).toBe('Renamed at once')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText(/^Save of dashboard .* undone/)).toBeVisible()
  expect((await read(id)).tiles[0]?.name).toBe('Left')
  await expect(page.getByRole('button', { name: 'Actions of Left', exact: true })).toBeVisible()
})

test('what needs a decision is reviewed first on a local stage too', async ({ page, api }) => {
  const before = await twoTiles()
  await alertOn(before, unique('On the left'), (await api.webhooks())[0]?.id)
  await edit(page, openSource, before.id)
  await fromMenu(page, 'Left', 'Remove')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Save dashboard ${before.name}?` })
  await expect(dialog.getByRole('button', { name: 'Save and delete 1 alert' })).toBeEnabled()
  expect((await read(before.id)).tiles).toHaveLength(2)
})

test('merges the changes of two people, and asks about conflicts', async ({ page }) => {
  const { id, name, tiles } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Left by me')
  const [left, right] = tiles
  await stack(dashboard, 'PUT', `/dashboards/${id}`, {
    name,
    tiles: [
      { ...left, name: 'Left by them' },
      { ...right, name: 'Right by them' },
    ],
  })
  const dialog = await review(page)
  await expect(dialog.getByText('Somebody else changed this dashboard')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Yours' }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  expect((await read(id)).tiles.map((tile) => tile.name)).toEqual(['Left by me', 'Right by them'])
})

test('finds out by a read whether a save with a lost response was applied', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Written all the same')
  const dialog = await review(page)
  setFaults({ match: `PUT /api/v2/dashboards/${id}`, reset: 'after', times: 1 })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  expect((await read(id)).tiles[0]?.name).toBe('Written all the same')
})

test('does not overwrite a save by somebody else during the review', async ({ page }) => {
  const { id, name, tiles } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Left by me')
  const dialog = await review(page)
  await expect(dialog.getByText('Validated by the deployment')).toBeVisible()
  const [left, right] = tiles
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: [left, { ...right, name: 'Right by them' }] })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByText('Somebody else just changed this dashboard')).toBeVisible()
  expect((await read(id)).tiles.map((tile) => tile.name)).toEqual(['Left', 'Right by them'])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  expect((await read(id)).tiles.map((tile) => tile.name)).toEqual(['Left by me', 'Right by them'])
})

test('shows the findings of the deployment before the save', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Renamed')
  const finding = { valid: false, errors: [{ path: 'tiles.0', message: 'too wide' }], normalized: null }
  const clean = { valid: true, errors: [], normalized: null }
  // The first check is of the draft, the second of the stored dashboard.
  setFaults(
    { match: 'POST /api/v2/dashboards/validate', status: 200, body: finding, times: 1 },
    { match: 'POST /api/v2/dashboards/validate', status: 200, body: clean },
  )
  const dialog = await review(page)
  await expect(dialog.getByRole('alert')).toContainText('tile “Renamed”: too wide')
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  setFaults({ match: 'POST /api/v2/dashboards/validate', status: 404, contentType: 'text/html', body: '<html></html>' })
  await dialog.getByRole('button', { name: 'Back to editing' }).click()
  await rename(page, 'Renamed', 'Renamed again')
  await expect(
    (await review(page)).getByText('This deployment cannot validate dashboards before saving.'),
  ).toBeVisible()
  setFaults()
})

test('Save during validation writes only if the deployment reports no errors', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Renamed')
  const check = 'POST /api/v2/dashboards/validate'
  const finding = { valid: false, errors: [{ path: 'tiles.0', message: 'too wide' }], normalized: null }
  const clean = { valid: true, errors: [], normalized: null }
  setFaults({ match: check, status: 200, body: finding, times: 1 }, { match: check, status: 200, body: clean })
  let answerCheck = await hold(page, /\/dashboards\/validate/)
  let dialog = await review(page)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByText('Saving when validation completes')).toBeVisible()
  answerCheck()
  await expect(dialog.getByRole('alert')).toContainText('tile “Renamed”: too wide')
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  expect((await read(id)).tiles[0]?.name).toBe('Left')
  await dialog.getByRole('button', { name: 'Back to editing' }).click()

  await rename(page, 'Renamed', 'Renamed again')
  clearFaults()
  answerCheck = await hold(page, /\/dashboards\/validate/)
  dialog = await review(page)
  await dialog.getByRole('button', { name: 'Save', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Saving when validation completes')).toBeVisible()
  answerCheck()
  await expectSaved(page)
  expect((await read(id)).tiles[0]?.name).toBe('Renamed again')
})
