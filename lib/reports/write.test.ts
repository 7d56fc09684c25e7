import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { reportPage } from '../pages/report/report-page.tsx';
import { EACH, reportOf } from './report.test.double.ts';
import { junit } from './junit.ts';
import { writeReports } from './write.ts';

const report = reportOf(EACH);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reports-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

describe('the reports', () => {
  test('are written to a folder, which is made if it is missing, and nothing else is written', () => {
    const deep = join(folder, 'a', 'b');
    const names = ['report.json', 'index.html', 'junit.xml', 'fingerprint.json', 'summary.md'];
    expect(writeReports(report, deep)).toEqual(names.map((name) => join(deep, name)));
    expect(readdirSync(deep).toSorted()).toEqual(names.toSorted());
    expect(JSON.parse(readFileSync(join(deep, 'report.json'), 'utf8'))).toEqual(report);
    expect(readFileSync(join(deep, 'index.html'), 'utf8')).toBe(
      reportPage(report, join(deep, 'report.json')),
    );
    expect(readFileSync(join(deep, 'junit.xml'), 'utf8').trim()).toBe(junit(report).trim());
    expect(JSON.parse(readFileSync(join(deep, 'fingerprint.json'), 'utf8'))).toEqual(report.fingerprint);
  });

  test('replace those of an earlier run at once: a reader of an old one can read it to its end', () => {
    const [old = ''] = writeReports(report, folder);
    const before = readFileSync(old, 'utf8');
    const open = openSync(old, 'r');
    onTestFinished(() => closeSync(open));
    writeReports(reportOf([]), folder);
    expect(readFileSync(open, 'utf8')).toBe(before);
    expect(readFileSync(old, 'utf8')).not.toBe(before);
  });

  test('do not stand beside the evidence of an earlier run', () => {
    writeFileSync(join(folder, 'evidence.har'), '{}');
    const evidence = { file: 'evidence.har', entries: 0, bytes: 2, sha256: '' };
    writeReports({ ...report, evidence }, folder);
    expect(readdirSync(folder)).toContain('evidence.har');
    writeReports(report, folder);
    expect(readdirSync(folder)).not.toContain('evidence.har');
  });

  test('that cannot be written are an error', () => {
    mkdirSync(join(folder, 'report.json'));
    expect(() => writeReports(report, folder)).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  });
});
