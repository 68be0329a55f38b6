/** The mutations of a source, one change each. */
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';

export interface Mutation {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  /** Whether it is a whole statement, which is removed. */
  readonly isStatement: boolean;
}

interface Parts extends Node {
  readonly left?: Node;
  readonly right?: Node;
  readonly operatorToken?: Node;
  readonly operator?: SyntaxKind;
  readonly operand?: Node;
  readonly condition?: Node;
  readonly expression?: Node;
  readonly name?: Node;
}

const instead = new Map([
  ...Object.entries({ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '&&': '||', '||': '&&' }),
  ...Object.entries({ '-': '+', '*': '/', '/': '*' }),
]);
const unread = new Set([SyntaxKind.ImportDeclaration, SyntaxKind.ExportDeclaration, SyntaxKind.InterfaceDeclaration]);
const isType = ({ kind }: Node) =>
  (kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode) || kind === SyntaxKind.TypeAliasDeclaration;

/** In order; `file`: its path in the project. */
export function mutationsOf(file: string, source: SourceFile): Mutation[] {
  const found: Mutation[] = [];
  const startOf = ({ pos, end }: Node) => {
    const space = /^(?:\s|\/\/.*\n|\/\*[\s\S]*?\*\/)*/.exec(source.text.slice(pos, end));
    return pos + (space?.[0].length ?? 0);
  };
  const textOf = (node: Node | undefined) => (node === undefined ? '' : source.text.slice(startOf(node), node.end));
  const visit = (node: Node): undefined => {
    if (unread.has(node.kind) || isType(node)) return;
    const [start, line] = [startOf(node), source.text.slice(0, startOf(node)).split('\n').length];
    const isStatement = node.kind === SyntaxKind.ExpressionStatement;
    for (const after of insteadOf(node, textOf))
      found.push({ file, line, start, end: node.end, before: textOf(node), after, isStatement });
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function insteadOf(node: Parts, textOf: (node: Node | undefined) => string): string[] {
  const { parent } = node as { readonly parent?: Parts };
  if (parent?.name === node || parent?.kind === SyntaxKind.JsxAttribute) return [];
  switch (node.kind) {
    case SyntaxKind.BinaryExpression: {
      const operator = textOf(node.operatorToken);
      if (operator === '??') return [textOf(node.left)];
      const other = instead.get(operator);
      return other === undefined ? [] : [`(${textOf(node.left)}) ${other} (${textOf(node.right)})`];
    }
    case SyntaxKind.PrefixUnaryExpression:
      return node.operator === SyntaxKind.ExclamationToken ? [textOf(node.operand)] : [];
    case SyntaxKind.TrueKeyword:
      return ['false'];
    case SyntaxKind.FalseKeyword:
      return ['true'];
    case SyntaxKind.NumericLiteral:
      return [`${textOf(node)} + 1`];
    case SyntaxKind.StringLiteral:
      return [textOf(node).length > 2 ? "''" : "'other'"];
    case SyntaxKind.ExpressionStatement:
      return [';'];
    default:
      return isCondition(node, parent) ? ['true', 'false'] : [];
  }
}

function isCondition(node: Node, parent: Parts | undefined): boolean {
  return (
    parent?.condition === node ||
    (parent?.expression === node &&
      (parent.kind === SyntaxKind.IfStatement || parent.kind === SyntaxKind.WhileStatement))
  );
}
