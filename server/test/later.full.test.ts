import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { config } = ts.parseConfigFileTextToJson('tsconfig.json', readFileSync(join(root, 'tsconfig.json'), 'utf8'))

/** Allowed: passing it to `later`, handling its failure, or a call that cannot fail. */
const isHeard = (begun: ts.Expression) =>
  /^(later|closed|sleep|setTimeout)\(|\.catch\(|^Promise\.allSettled|^new Promise(<\w+>)?\(\w+ =>/.test(
    begun.getText(),
  ) ||
  (ts.isCallExpression(begun) && /\.then$/.test(begun.expression.getText()) && begun.arguments.length === 2)

test('a promise that tests start before another await goes through `later`, or its failure would be unhandled', () => {
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const isTest = (file: string) => /\.test\.ts$|\/test\//.test(file) && !file.includes('node_modules')
  const program = ts.createProgram(fileNames.filter(isTest), options)
  const types = program.getTypeChecker()

  const isPromise = (type: ts.Type) => type.symbol?.name === 'Promise'
  const isBegun = (type: ts.Type) =>
    isPromise(type) || (types.isArrayType(type) && types.getTypeArguments(type as ts.TypeReference).some(isPromise))

  const unheard: string[] = []
  let begun = 0
  const lookInto = (statements: ts.NodeArray<ts.Statement>) => {
    for (const [at, statement] of statements.entries()) {
      if (!ts.isVariableStatement(statement)) continue
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (!initializer || !ts.isIdentifier(name) || !isBegun(types.getTypeAtLocation(name))) continue
        begun += 1
        if (isHeard(initializer)) continue
        const mention = new RegExp(`\\b${name.text}\\b`)
        const next = statements
          .slice(at + 1)
          .find(each => /\bawait\b/.test(each.getText()) || mention.test(each.getText()))
        if (next && mention.test(next.getText())) continue
        const { line } = name.getSourceFile().getLineAndCharacterOfPosition(name.getStart())
        unheard.push(`${relative(root, name.getSourceFile().fileName)}:${line + 1} ${name.text}`)
      }
    }
  }
  const visit = (node: ts.Node) => {
    if (ts.isBlock(node) || ts.isSourceFile(node)) lookInto(node.statements)
    ts.forEachChild(node, visit)
  }
  for (const file of program.getSourceFiles()) if (isTest(file.fileName)) visit(file)
  expect(begun).toBeGreaterThan(100)
  expect(unheard).toEqual([])
})
