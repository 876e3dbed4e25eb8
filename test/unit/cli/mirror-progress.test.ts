import { expect, test } from 'vitest'
import { barText } from '../../../src/cli/mirror-progress.ts'

test('the bar tells the territory, the step, how far it is and of how much', () => {
  expect(barText({ step: 'export', territory: 'ES-MD', done: 1500, total: 3000 })).toBe(
    `ES-MD taking over ${'█'.repeat(15)}${'░'.repeat(15)} 50 %  1,500 of 3,000`,
  )
})

test('more than was expected is full, and nothing known is empty', () => {
  expect(barText({ step: 'changes', done: 9, total: 3 })).toContain(`${'█'.repeat(30)} 100 %`)
  expect(barText({ step: 'verify', done: 0, total: 0 })).toContain(`${'░'.repeat(30)} 0 %`)
})
