"""Recognition of single lines in many languages."""

import pytest

from crscore_core.claims.symbolic.logical import LogicalLine
from crscore_core.claims.symbolic.recognition import recognise
from crscore_core.claims.symbolic.statement import Sort, Statement


def read(text: str, language: str | None) -> Statement:
    return recognise(LogicalLine(text, (0,), (0,), 1, 0, prose=False), language)


@pytest.mark.parametrize(
    ("text", "language", "sort", "subject"),
    [
        ("def load(path, *, strict=False):", "python", Sort.FUNCTION, "load"),
        ("async def load(self, path):", "python", Sort.FUNCTION, "load"),
        ("public static int sum(int a, int b) {", "java", Sort.FUNCTION, "sum"),
        ("default String label() {", "java", Sort.FUNCTION, "label"),
        ("export async function load(url) {", "javascript", Sort.FUNCTION, "load"),
        ("const load = (url) => {", "javascript", Sort.FUNCTION, "load"),
        ("load(url) {", "javascript", Sort.FUNCTION, "load"),
        ("func (s *Server) Close() error {", "go", Sort.FUNCTION, "Close"),
        ("private function load(array $rows): int {", "php", Sort.FUNCTION, "load"),
        ("def self.load(path)", "ruby", Sort.FUNCTION, "load"),
        ("static int parse(const char *text) {", "c", Sort.FUNCTION, "parse"),
        ("void Parser::reset() {", "cpp", Sort.FUNCTION, "reset"),
        ("public async Task<int> LoadAsync(string path)", "csharp", Sort.FUNCTION, "LoadAsync"),
        ("public final class Cache<K> extends Map<K> {", "java", Sort.TYPE, "Cache"),
        ("type Cache struct {", "go", Sort.TYPE, "Cache"),
        ("class Cache(Base):", "python", Sort.TYPE, "Cache"),
        ("if (user == null) {", "java", Sort.CONDITION, "if"),
        ("} else if (ready) {", "javascript", Sort.CONDITION, "else if"),
        ("elif ready:", "python", Sort.CONDITION, "elif"),
        ("unless ready?", "ruby", Sort.CONDITION, "unless"),
        ("case 3:", "c", Sort.CASE, "case"),
        ("default:", "java", Sort.CASE, "default"),
        ("for _, row := range rows {", "go", Sort.LOOP, "for"),
        ("foreach ($rows as $row) {", "php", Sort.LOOP, "foreach"),
        ("} catch (IOException e) {", "java", Sort.CATCH, "catch"),
        ("except ValueError as error:", "python", Sort.CATCH, "except"),
        ("rescue IOError => e", "ruby", Sort.CATCH, "rescue"),
        ("throw new IllegalStateException();", "java", Sort.RAISE, "throw"),
        ("return total;", "java", Sort.RETURN, "return"),
        ("#include <stdio.h>", "c", Sort.IMPORT, "stdio.h"),
        ("import { one } from './two';", "javascript", Sort.IMPORT, "./two"),
        ("const fs = require('fs');", "javascript", Sort.IMPORT, "fs"),
        ("using System.Text;", "csharp", Sort.IMPORT, "System.Text"),
        ("from os import path", "python", Sort.IMPORT, "os"),
        ("private final URI icon;", "java", Sort.ASSIGNMENT, "icon"),
        ("total := 3", "go", Sort.ASSIGNMENT, "total"),
        ("self.total = 3", "python", Sort.ASSIGNMENT, "self.total"),
        ("let total: number = 3;", "typescript", Sort.ASSIGNMENT, "total"),
        ('"version": "1.2.3",', "json", Sort.ENTRY, "version"),
        ("timeout: 30", "yaml", Sort.ENTRY, "timeout"),
        ("timeout=30", "properties", Sort.ASSIGNMENT, "timeout"),
        ("<version>1.2</version>", "xml", Sort.ENTRY, "version"),
        ("logger.info('started')", "python", Sort.LOG, "logger.info"),
        ('fmt.Println("started")', "go", Sort.LOG, "fmt.Println"),
        ("assertEquals(3, total);", "java", Sort.ASSERTION, "assertEquals"),
        ("assert total == 3", "python", Sort.ASSERTION, ""),
        ("it('adds numbers', () => {", "javascript", Sort.TEST, "it"),
        ("cache.clear();", "java", Sort.CALL, "cache.clear"),
        ("@Override", "java", Sort.DECORATOR, "Override"),
        ("@app.route('/x')", "python", Sort.DECORATOR, "app"),
        ("# a remark", "python", Sort.COMMENT, ""),
        ("// a remark", "go", Sort.COMMENT, ""),
        ("});", "javascript", Sort.BRACKETS, ""),
        ("", None, Sort.BLANK, ""),
        ("SELECT name FROM users", "sql", Sort.QUERY, "SELECT"),
    ],
)
def test_a_line_is_recognised(text: str, language: str | None, sort: Sort, subject: str) -> None:
    statement = read(text, language)
    assert (statement.sort, statement.subject) == (sort, subject)


def test_parameters_keep_name_text_and_default() -> None:
    heading = read("def load(self, path: str, limit=3):", "python").heading
    assert heading is not None
    assert [(p.name, p.default) for p in heading.parameters] == [("path", ""), ("limit", "3")]


def test_an_unreadable_line_is_still_a_statement() -> None:
    assert read("%%% ??? ((( ~~~ x", None).sort is Sort.OTHER
