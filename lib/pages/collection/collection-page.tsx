import type { Child } from 'hono/jsx';
import type { Apart, Collection, Difference, Implementation } from '../../certificate/collection.ts';
import { DAY_MS, dayOf } from '../../certificate/validity.ts';
import { documentOf } from '../document.tsx';
import { moment } from '../../reports/moment.ts';
import { visible } from '../visible.ts';

/**
 * The table of implementations as one HTML file: those with valid certificates, how they differ, and the certificates
 * that are not in the table, with the reasons.
 *
 * @param now when the certificates were verified.
 */
export function collectionPage({ implementations, apart, answers, verdicts }: Collection, now: Date): string {
  return documentOf(
    'Implementations of the Account Mutation API',
    <>
      <header>
        <p class="eyebrow">Verified on {moment(now.toISOString())}</p>
        <h1>Implementations of the Account Mutation API</h1>
        <p>
          {implementations.length === 0
            ? 'No certificate of the collection is valid.'
            : `${implementations.length} ${implementations.length === 1 ? 'product has a valid certificate' : 'products have valid certificates'}. Each was verified with the key of its maker, and judged again from the evidence beside it.`}
        </p>
      </header>
      <Table implementations={implementations} now={now} />
      <Differences
        id="answers"
        title="What the specification leaves open, and they answer differently"
        {...{ differences: answers, implementations }}
      />
      <Differences
        id="verdicts"
        title="Requirements with different verdicts"
        {...{ differences: verdicts, implementations }}
      />
      <Others apart={apart} />
    </>,
  );
}

const nameOf = ({ predicate: { product } }: Implementation): string =>
  visible(`${product.name} ${product.version}`);

function Table({ implementations, now }: { implementations: readonly Implementation[]; now: Date }): Child {
  if (implementations.length === 0) return null;
  return (
    <div class="table">
      <table class="words">
        <thead>
          <tr>
            {[
              'product',
              'valid until',
              'verdict',
              'warnings',
              'suite',
              'target',
              'run by',
              'certificate',
            ].map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {implementations.map((one) => {
            const { predicate, path } = one;
            const { notAfter, verdict, limits, suite, target, operator } = predicate;
            const days = Math.floor((Date.parse(notAfter) - now.getTime()) / DAY_MS);
            return (
              <tr>
                <th scope="row">
                  {nameOf(one)}
                  {target.isReference ? ' (the reference server of the suite)' : ''}
                </th>
                <td class={days < SOON ? 'doubt' : ''}>
                  <time datetime={notAfter}>{dayOf(notAfter)}</time> ({days === 1 ? '1 day' : `${days} days`}{' '}
                  left)
                </td>
                <td class="good">{verdict}</td>
                <td class="number">{String(limits.warned.length)}</td>
                <td>{suite.version}</td>
                <td>{visible(target.origin)}</td>
                <td>{visible(operator ?? '')}</td>
                <td>
                  <code>{visible(path)}</code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A certificate that expires in fewer days is marked. */
const SOON = 14;

function Differences({
  id,
  title,
  differences,
  implementations,
}: {
  id: string;
  title: string;
  differences: readonly Difference[];
  implementations: readonly Implementation[];
}): Child {
  if (implementations.length < 2) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {differences.length === 0 ? (
        <p>None.</p>
      ) : (
        <div class="table">
          <table class="words">
            <thead>
              <tr>
                <th scope="col">name</th>
                {implementations.map((one) => (
                  <th scope="col">{nameOf(one)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {differences.map(({ name, about, values }) => (
                <tr>
                  <th scope="row">
                    <code>{visible(name)}</code>
                    <br />
                    <span class="quiet">{visible(about)}</span>
                  </th>
                  {values.map((value) => (
                    <td>{visible(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const Others = ({ apart }: { apart: readonly Apart[] }): Child =>
  apart.length === 0 ? null : (
    <section aria-labelledby="apart">
      <h2 id="apart">Not in the table</h2>
      {apart.map(({ path, product, reasons }) => (
        <div class="card bad">
          <h3>{product === undefined ? <code>{visible(path)}</code> : visible(product)}</h3>
          {product === undefined ? null : (
            <p class="quiet">
              <code>{visible(path)}</code>
            </p>
          )}
          <ul>
            {reasons.map((reason) => (
              <li>{visible(reason)}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
